// What reads other people's text never throws, says where it stumbled, and gives nothing that is not well formed.
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCall } from '../src/condition/call.ts';
import { allowCoverage, matchRule } from '../src/condition/match.ts';
import { compileMatcher } from '../src/condition/matcher.ts';
import { parseRule } from '../src/condition/parse.ts';
import { parseCommandLine } from '../src/condition/shell.ts';
import { loadSettings } from '../src/config/load.ts';
import { parseSettings } from '../src/config/parse.ts';
import { formatProblem } from '../src/config/problem.ts';
import type { SettingsFile } from '../src/config/settings.ts';
import { dialects } from '../src/dialects/index.ts';
import { readJournal } from '../src/journal/read.ts';
import { lifecycleEventNames } from '../src/lifecycle/catalogue.ts';
import { policyCatalogue, policyEventNames } from '../src/policy/catalogue.ts';
import { checkAnswer } from '../src/policy/check-answer.ts';
import { missingProgram } from '../src/runners/missing.ts';
import { readVerdictAnswer } from '../src/runners/verdict-answer.ts';
import { parseReply } from '../src/runners/worker-protocol.ts';
import { hookOutput } from './fuzz/answers.ts';
import { anyText, jsonOf, mangled } from './fuzz/arbitraries.ts';
import { settingsText } from './fuzz/settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'fuzz-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a settings file with anything in it', () => {
  it('is read without a throw, each problem at a place in the text [contract.load.all-problems-located]', () => {
    fc.assert(
      fc.property(settingsText, fc.constantFrom('managed', 'user', 'project', 'local'), (written, scope) => {
        const file = parseSettings({ text: written, scope, file: '/home/dev/.codey/settings.json' });
        expectLocated(file, written);
        expectWellFormed(file);
      }),
      { numRuns: 800 },
    );
  });

  it('is loaded from disk whatever its bytes are', async () => {
    const home = join(folder, 'home');
    await mkdir(join(home, '.codey'), { recursive: true });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      anyText.map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        await writeFile(join(home, '.codey/settings.json'), content);
        const { files } = await loadSettings({ projectRoot: folder, home });
        expect(files).toHaveLength(1);
        for (const problem of files[0]?.problems ?? []) {
          expect([problem.line > 0, problem.column > 0]).toEqual([true, true]);
        }
      }),
      { numRuns: 150 },
    );
  });

  function expectLocated({ problems, warnings }: Pick<SettingsFile, 'problems' | 'warnings'>, text: string) {
    const lines = text.split(/\r\n|\r|\n/);
    for (const problem of [...problems, ...warnings]) {
      const line = lines[problem.line - 1];
      if (line === undefined || problem.column > line.length + 1) {
        expect.fail(`${formatProblem(problem)} is no place in the text`);
      }
      // A stranger's file is quoted before anybody has agreed to it.
      expect(formatProblem(problem)).toMatch(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u);
    }
  }

  function expectWellFormed({ hooks, lifecycle }: Pick<SettingsFile, 'hooks' | 'lifecycle'>) {
    for (const hook of hooks) {
      expect(policyEventNames).toContain(hook.event);
      expect(hook.timeoutMs > 0 && hook.timeoutMs <= 3_600_000).toBe(true);
      expect(hook.id).toMatch(/^\w+:[0-9a-f]{8}$/);
      expect(hook.async && hook.onFailure === 'block').toBe(false);
    }
    for (const { event, command } of lifecycle) {
      expect(lifecycleEventNames).toContain(event);
      expect(command.trim()).not.toBe('');
    }
  }
});

describe('what a hook prints', () => {
  it.each(Object.keys(dialects) as (keyof typeof dialects)[])(
    'is decoded by the dialect %s into a well-formed answer on every event',
    (name) => {
      fc.assert(
        fc.property(fc.constantFrom(...policyEventNames), hookOutput, (event, printed) => {
          const decoded = dialects[name].decode(event, printed);
          if (decoded.kind === 'text') return;
          expect(checkAnswer(decoded.answer)).toEqual({ ok: true, answer: decoded.answer });
          if (decoded.kind === 'broken') expect(decoded.message).not.toBe('');
          const { verdict } = decoded.answer;
          const output: readonly string[] = policyCatalogue[event].output;
          if (verdict.kind === 'ask') expect(output).toContain('permissionDecision');
          if (verdict.kind === 'continue') expect(output).toContain('continue');
          if (decoded.answer.updatedInput !== undefined) expect(output).toContain('updatedInput');
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it('as a worker is understood, refused or passed over', () => {
    const reply = jsonOf(['id', 'output', 'block', 'error'], ['no']).map(
      (value) => JSON.stringify(value) ?? '',
    );
    fc.assert(
      fc.property(mangled(reply), (line) => {
        const parsed = parseReply(line);
        if (parsed.kind !== 'noise') expect(typeof parsed.id).toBe('number');
      }),
      { numRuns: 1_000 },
    );
  });

  it('as a model is an answer only if it is one object with a word that decides', () => {
    fc.assert(
      fc.property(fc.constantFrom(...policyEventNames), hookOutput, (event, text) => {
        const read = readVerdictAnswer(text, (json) => dialects.native.decode(event, json));
        if (read.kind === 'answer') expect(dialects.native.decode(event, read.json).kind).toBe('answer');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a rule, a matcher and a command line made of anything', () => {
  const rule = fc
    .array(
      fc.oneof(
        fc.constantFrom('run_shell', '|', '(', ')', '*', '?', '[', ']', '\\', ' ', 'mcp__a__b'),
        anyText,
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));
  const piece = fc.constantFrom(
    'git push',
    'sh -c',
    'eval',
    'xargs',
    "'",
    '"',
    '`',
    '$(',
    ')',
    '(',
    '{',
    '}',
    '\\',
    '\n',
    '<<E',
    'E',
    '<(',
    '|',
    '&',
    ';',
    '&&',
    '>',
    '2>&1',
    '$',
    '${',
    'A=',
    'for x in',
    'do',
    'done',
    ' ',
    'case',
    'esac',
    'if',
    'then',
    'fi',
    'function f',
    '[[',
    ']]',
    '((',
    '))',
    '#',
    '\0',
    '\u00a0',
    '\ud800',
  );
  const line = fc
    .array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: anyText }), { maxLength: 40 })
    .map((parts) => parts.join(''));

  it('either parse or say in a printable sentence what is wrong', () => {
    fc.assert(
      fc.property(rule, (text) => {
        const parsed = parseRule(text);
        if (parsed.ok) expect(parsed.rule.tools.every((tool) => tool !== '')).toBe(true);
        else expect(parsed.message).not.toBe('');
        const compiled = compileMatcher(text);
        if (compiled.ok) expect(['yes', 'no', 'unknown']).toContain(compiled.matcher.test(text));
        else expect(compiled.message).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  it('a line is read in bounds, and what is unknown in it is never allowed [contract.if.allow-covers-all]', async () => {
    const anything = parseRule('run_shell(git push*)');
    if (!anything.ok) throw new Error(anything.message);
    await fc.assert(
      fc.asyncProperty(line, async (written) => {
        const parsed = await parseCommandLine(written);
        expect(parsed.commands.length).toBeLessThanOrEqual(written.length + 1);
        expect(parsed.complete).toBe(parsed.doubts.length === 0);
        const view = await describeCall(
          'run_shell',
          { kind: 'command', line: written },
          { workspace: '/', cwd: '/' },
        );
        const any = matchRule(anything.rule, view, 'any');
        if (!parsed.complete) {
          expect(any).not.toBe('no');
          expect(allowCoverage(anything.rule, view).kind).toBe('part');
        }
        if (allowCoverage(anything.rule, view).kind === 'whole') expect(any).toBe('yes');
      }),
      { numRuns: 1_500 },
    );
  });

  it('a command is looked for without a throw before it is started', () => {
    fc.assert(
      fc.property(
        line,
        fc.option(fc.array(anyText, { maxLength: 3 }), { nil: undefined }),
        (command, args) => {
          const place = { command, cwd: folder, environment: { PATH: '/usr/bin:/bin' } };
          const missing = missingProgram(args === undefined ? place : { ...place, args });
          expect(missing === undefined || missing !== '').toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

it('a journal with anything in it gives whole lines only, and every good one [contract.journal.append-only]', async () => {
  const root = join(folder, 'project');
  const file = join(root, '.codey/events.jsonl');
  await mkdir(join(root, '.codey'), { recursive: true });
  const line = (n: number): string =>
    `${JSON.stringify({ time: '2026-01-01T00:00:00.000Z', session: 's', pid: 1, n, kind: 'notice', what: `w${n}` })}\n`;
  const foreign = jsonOf(
    ['time', 'session', 'pid', 'n', 'kind', 'hooks', 'what', 'event'],
    ['notice', 'dispatch', 'lifecycle', 'gate', 'hook_error'],
  ).map((value) => `${(JSON.stringify(value) ?? '').replaceAll('"time":', '"tome":')}\n`);
  const garbage = fc.oneof(
    foreign,
    anyText.map((text) => `${text.replaceAll('{"time":', '')}\n`),
    // A writer killed in a write.
    fc.nat(60).map((length) => line(0).slice(0, length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(garbage, { maxLength: 8 }), async (pieces) => {
      await writeFile(file, '');
      for (const [index, piece] of pieces.entries()) await appendFile(file, piece + line(index + 1));
      const seen: number[] = [];
      for await (const read of readJournal({ projectRoot: root })) {
        if (read.session === 's' && read.kind === 'notice') seen.push(read.n);
      }
      expect(seen).toEqual(pieces.map((_, index) => index + 1));
    }),
    { numRuns: 100 },
  );
});
