import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createStage, type ScriptEntry, shellScript, type Stage } from '../../packages/codey/test/stage.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
let stage: Stage;

beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const recipe = (name: string): string => readFileSync(path.join(here, `${name}.json`), 'utf8');

/** Puts a recipe into the user's settings, as its reader would. */
function use(name: string, more: object = {}, hooks: object = JSON.parse(recipe(name))): void {
  stage.write('~/.codey/settings.json', { hooks, ...more });
}

/** A stand-in for a program, found before the real one. */
function program(name: string, script: string): { readonly environment: { readonly PATH: string } } {
  // The stage makes scripts executable by their ending.
  const file = stage.write(`~/bin/${name}.sh`, `#!/bin/sh\n${script}\n`);
  symlinkSync(file, path.join(stage.home, 'bin', name));
  return { environment: { PATH: `${stage.home}/bin:${process.env.PATH}` } };
}

const call = (tool: string, input: Readonly<Record<string, unknown>>): readonly ScriptEntry[] => [
  { calls: [{ tool, input }] },
  { text: 'done' },
];
const anything = { permissions: { mode: 'bypassPermissions' } };
const edits = { permissions: { mode: 'acceptEdits' } };

it('stands in the guide, each under the same words', () => {
  const guide = readFileSync(path.join(here, '../../docs/hooks.md'), 'utf8');
  const shown = guide.slice(guide.indexOf('\n## Recipes'), guide.indexOf('\n## Settings beside'));
  const files = readdirSync(here).filter((file) => file.endsWith('.json'));
  expect(files.filter((file) => !shown.includes(recipe(path.parse(file).name).trim()))).toEqual([]);
  expect(shown.match(/```json/g)).toHaveLength(files.length);
});

it('format: formats after an edit', async () => {
  use('format', edits);
  await stage.prompt(
    call('write_file', { path: 'a.ts', content: 'x' }),
    program('npx', 'echo "$@" >> formatted'),
  );
  expect(stage.read('formatted')).toBe('prettier --write .\n');
});

it('log-commands: keeps every command with its circumstances', async () => {
  use('log-commands', anything);
  await stage.prompt(shellScript('echo one', 'echo two'));
  const lines = stage
    .read('~/codey-commands.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ tool_input }) => tool_input.command)).toEqual(['echo one', 'echo two']);
});

describe('keep-secrets', () => {
  it.each([
    ['reading', 'read_file', { path: 'app/.env' }],
    ['writing', 'write_file', { path: 'prod.env', content: 'KEY=2' }],
  ])('blocks %s', async (_, tool, input) => {
    use('keep-secrets', anything);
    stage.write('app/.env', 'KEY=1');
    const { stdout } = await stage.prompt(call(tool, input), { args: ['--output-format', 'json'] });
    expect(JSON.parse(stdout).permission_denials).toHaveLength(1);
    expect(stage.has('prod.env')).toBe(false);
  });

  it('leaves other files alone', async () => {
    use('keep-secrets', anything);
    await stage.prompt(call('write_file', { path: 'environment.ts', content: '' }));
    expect(stage.has('environment.ts')).toBe(true);
  });
});

it('until-tests-pass: sends the agent back until the tests pass', async () => {
  use('until-tests-pass', anything);
  const script = [{ text: 'finished' }, ...shellScript('touch fixed'), { text: 'never said' }];
  const { stdout, code } = await stage.prompt(script, program('npm', 'test -e fixed'));
  expect({ stdout, code }).toEqual({ stdout: 'All done.\n', code: 0 });
});

it('approve-lint: approves the command and nothing beside it', async () => {
  use('approve-lint');
  const npm = program('npm', 'echo "$@" >> linted');
  await stage.prompt(shellScript('npm run lint -- --fix'), npm);
  await stage.prompt(shellScript('npm run lint && touch more'), npm);
  expect(stage.read('linted')).toBe('run lint -- --fix\n');
  expect(stage.has('more')).toBe(false);
});

it('release-notes: gives the model what the script prints', async () => {
  use('release-notes');
  stage.write('scripts/release-notes.sh', '#!/bin/sh\necho "2.0 ships on Friday"\n');
  await stage.prompt([{ text: 'done' }]);
  const log = readdirSync(path.join(stage.home, '.codey/projects'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => stage.read(`~/.codey/projects/${file}`))
    .join('');
  expect(log).toContain('2.0 ships on Friday');
});

it('session-variable: reaches every shell command', async () => {
  use('session-variable', anything);
  await stage.prompt(shellScript('printf %s "$NODE_OPTIONS" > seen'));
  expect(stage.read('seen')).toBe('--enable-source-maps');
});

it('webhook: posts the end of a session with the token', async () => {
  const requests: { authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      requests.push({ authorization: request.headers.authorization, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  use('webhook', {}, JSON.parse(recipe('webhook').replace('https://example.internal', address)));
  await stage.prompt([{ text: 'done' }], { environment: { WEBHOOK_TOKEN: 'secret' } });
  expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer secret']);
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ event: 'SessionEnd' });
});

it('waiting: says what is waited for [codey.example.blocked-notifies]', async () => {
  use('waiting');
  stage.write('story.json', call('write_file', { path: 'a.ts', content: '' }));
  const notify = program('notify-send', `echo "$@" >> ${stage.home}/notified`);
  await stage.codey(['rehearse', 'story.json'], notify);
  expect(stage.read('~/notified')).toBe('-u critical Codey waits write_file: a.ts\n');
});

describe('rm-to-trash', () => {
  beforeEach(() => {
    use('rm-to-trash', anything);
    stage.write(
      '~/.codey/hooks/rm-to-trash.mjs',
      readFileSync(path.join(here, 'hooks/rm-to-trash.mjs'), 'utf8'),
    );
    stage.write('old.txt', 'precious');
  });

  it('moves what would be removed', async () => {
    await stage.prompt(shellScript('rm -f old.txt'));
    expect(stage.read('.trash/old.txt')).toBe('precious');
  });

  it('lets nothing else pass where nobody answers', async () => {
    await stage.prompt(shellScript('rm -rf "$(pwd)"/*.txt'));
    expect(stage.has('old.txt')).toBe(true);
  });
});

describe('must-work', () => {
  it('blocks what its policy forbids, and only that', async () => {
    use('must-work', edits);
    stage.write('~/.codey/hooks/policy.mjs', readFileSync(path.join(here, 'hooks/policy.mjs'), 'utf8'));
    await stage.prompt([
      { calls: [{ tool: 'write_file', input: { path: 'src/a.ts', content: '' } }] },
      ...call('write_file', { path: 'b.ts', content: '' }),
    ]);
    expect([stage.has('src/a.ts'), stage.has('b.ts')]).toEqual([true, false]);
  });

  it('blocks everything while its script is missing [contract.failure.on-failure-block]', async () => {
    use('must-work', edits);
    await stage.prompt(call('write_file', { path: 'src/a.ts', content: '' }));
    expect(stage.has('src/a.ts')).toBe(false);
  });
});
