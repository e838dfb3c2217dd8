// The files made by scripts/generate: current, complete, and in step with what the engine really reads.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generate } from '../../../scripts/generate/main.ts';
import { outputOf } from '../../../scripts/generate/output-schema.ts';
import { decodeNative } from '../src/dialects/native/decode.ts';
import { policyCatalogue, policyEventNames } from '../src/policy/catalogue.ts';
import type { OutputField } from '../src/policy/define-event.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

it('the committed schemas and the events page are what the sources say', async () => {
  const script = path.join(repository, 'scripts/generate.mjs');
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stderr).toBe('');
});

const sources = fileURLToPath(new URL('../../..', import.meta.url));

describe('generating into an empty folder', () => {
  let root: string;
  let printed: string[];
  const run = (...args: string[]) => generate(args, { root, sources, print: (line) => printed.push(line) });

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'codey-generate-'));
    printed = [];
    await run();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('writes an input and an output schema for each policy event, one for lifecycle events and one for settings', async () => {
    const names = await readdir(path.join(root, 'packages/hooks/schema'));
    expect(names).toEqual(expect.arrayContaining(policyEventNames.map((name) => `${name}.input.json`)));
    expect(names).toEqual(expect.arrayContaining(policyEventNames.map((name) => `${name}.output.json`)));
    expect(names).toEqual(expect.arrayContaining(['lifecycle.json', 'settings.json']));
  });

  it('ends every file with one newline and sorts the keys of a schema', async () => {
    const schema = await readFile(path.join(root, 'packages/hooks/schema/Stop.input.json'), 'utf8');
    expect(schema).toMatch(/[^\n]\n$/);
    const keys = Object.keys(JSON.parse(schema));
    expect(keys).toEqual([...keys].toSorted());
    expect(await readFile(path.join(root, 'docs/events.md'), 'utf8')).toMatch(/[^\n]\n$/);
  });

  it('leads every link of the page to a heading of the page', async () => {
    const page = await readFile(path.join(root, 'docs/events.md'), 'utf8');
    const headings = [...page.matchAll(/^#+ `(\w+)`$/gm)].map(([, name]) => name?.toLowerCase());
    const links = [...page.matchAll(/\]\(#(\w+)\)/g)].map(([, target]) => target);
    expect(new Set(links)).toEqual(new Set(headings));
  });

  it('says which file differs, is missing or is left over, and what to run', async () => {
    await writeFile(path.join(root, 'docs/events.md'), 'edited by hand\n');
    await rm(path.join(root, 'packages/hooks/schema/Setup.input.json'));
    await writeFile(path.join(root, 'packages/hooks/schema/Gone.input.json'), '{}\n');
    expect(await run('--check')).toBe(1);
    expect(printed).toEqual([
      'docs/events.md: differs from its sources',
      'packages/hooks/schema/Gone.input.json: is not generated any more',
      'packages/hooks/schema/Setup.input.json: is missing',
      'Run `npm run generate` and commit what it changes.',
    ]);
  });

  it('repairs all of that when it is run again', async () => {
    await writeFile(path.join(root, 'packages/hooks/schema/Gone.input.json'), '{}\n');
    await rm(path.join(root, 'docs/events.md'));
    expect(await run()).toBe(0);
    expect(await run('--check')).toBe(0);
    expect(printed).toEqual([]);
  });

  it('refuses a flag it does not know', async () => {
    expect(await run('--chekc')).toBe(2);
    expect(printed).toEqual(['generate: --chekc is not known; it takes --check or nothing']);
  });
});

/** One right and one wrong value for each field that only some events understand. */
const samples: Readonly<Record<OutputField, { right: object; wrong: object }>> = {
  permissionDecision: {
    right: inside({ permissionDecision: 'ask' }),
    wrong: inside({ permissionDecision: 'maybe' }),
  },
  updatedInput: { right: inside({ updatedInput: { command: 'ls' } }), wrong: inside({ updatedInput: 'ls' }) },
  additionalContext: {
    right: inside({ additionalContext: 'mind the gap' }),
    wrong: inside({ additionalContext: 1 }),
  },
  updatedToolOutput: {
    right: inside({ updatedToolOutput: 'short' }),
    wrong: inside({ updatedToolOutput: {} }),
  },
  watchPaths: { right: inside({ watchPaths: ['a.md'] }), wrong: inside({ watchPaths: 'a.md' }) },
  worktreePath: { right: inside({ worktreePath: '/tmp/w' }), wrong: inside({ worktreePath: true }) },
  action: {
    right: inside({ action: 'accept', content: { ok: true } }),
    wrong: inside({ action: 'perhaps' }),
  },
  continue: { right: { decision: 'continue', reason: 'tests are red' }, wrong: { decision: 'carry on' } },
};

const rows = policyEventNames.flatMap((event) =>
  policyCatalogue[event].output.map((field) => ({ event, field })),
);

describe('output schemas and decoder agree', () => {
  it.each(rows)('on $field of $event', ({ event, field }) => {
    const { right, wrong } = samples[field];
    expect(v.is(outputOf(event), right)).toBe(true);
    expect(decodeNative(event, JSON.stringify(right))).toMatchObject({ kind: 'answer' });
    expect(decodeNative(event, JSON.stringify(right))).not.toHaveProperty('note');
    expect(v.is(outputOf(event), wrong)).toBe(false);
    expect(decodeNative(event, JSON.stringify(wrong))).toMatchObject({ kind: 'broken' });
  });

  it.each(policyEventNames)('on what every event understands: %s', (event) => {
    const right = {
      decision: 'block',
      reason: 'no',
      continue: false,
      stopReason: 'enough',
      systemMessage: 'look here',
      suppressOutput: true,
      ok: false,
      ...inside({
        hookEventName: event,
        decision: { behavior: 'deny', message: 'no' },
        permissionDecision: 'deny',
      }),
    };
    expect(v.is(outputOf(event), right)).toBe(true);
    expect(decodeNative(event, JSON.stringify(right))).toMatchObject({
      kind: 'answer',
      answer: {
        verdict: { kind: 'deny', reason: 'no' },
        halt: { stopReason: 'enough' },
        systemMessage: 'look here',
      },
    });
    for (const wrong of [
      { decision: 'approve' },
      { ok: 'yes' },
      { continue: 0 },
      inside({ hookEventName: 'Nope' }),
    ]) {
      expect(v.is(outputOf(event), wrong)).toBe(false);
      expect(decodeNative(event, JSON.stringify(wrong))).toMatchObject({ kind: 'broken' });
    }
  });
});

function inside(hookSpecificOutput: object): object {
  return { hookSpecificOutput };
}
