import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessHost, type ProcessHost } from '../runners/process.ts';
import { testHook } from '../testing/table-engine.ts';
import { createEnvFiles, type EnvFiles } from './env-file.ts';
import type { VariableChanges } from './env-file-changes.ts';

const hook = testHook('setup.sh', { event: 'SessionStart', line: 4 });
const marked: Readonly<Record<string, string>> = { TEST_RUN: process.env.TEST_RUN ?? '' };

let folder: string;
let processes: ProcessHost;
let session: Record<string, string>;
let changes: VariableChanges[];
let files: EnvFiles;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-files-'));
  processes = createProcessHost();
  session = { ...marked, PATH: '/usr/bin:/bin', HOME: '/home/dev', KEPT: 'as it was', CODEY_SESSION: 's1' };
  changes = [];
  files = createEnvFiles({
    folder,
    cwd: folder,
    processes,
    environment: () => session,
    onChange(values) {
      changes.push(values);
      for (const [name, value] of Object.entries(values)) {
        if (value === null) delete session[name];
        else session[name] = value;
      }
    },
  });
});
afterEach(async () => {
  await files.close();
  expect(await processes.settle(10_000)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

async function absorb(...texts: readonly string[]): Promise<readonly string[]> {
  const written = [];
  for (const text of texts) {
    const file = await files.create();
    writeFileSync(file, text);
    written.push({ hook, file });
  }
  return files.absorb(written);
}

const label = 'SessionStart hook setup.sh, settings.json:4, its env file:';

it('gives each hook an empty file of its own that only the user can read [koder.env.env-file-given]', async () => {
  const [one, other] = [await files.create(), await files.create()];
  expect(one).not.toBe(other);
  for (const file of [one, other]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('');
  }
});

it('starts nothing for a file that stayed empty or is gone', async () => {
  const [empty, gone] = [await files.create(), await files.create()];
  unlinkSync(gone);
  const idle = createEnvFiles({
    folder,
    cwd: folder,
    processes: { run: () => Promise.reject(new Error('nothing was to be started')) },
    environment: () => session,
    onChange: (values) => changes.push(values),
  });
  expect(
    await idle.absorb([
      { hook, file: empty },
      { hook, file: gone },
    ]),
  ).toEqual([]);
  expect(changes).toEqual([]);
  expect(existsSync(empty)).toBe(false);
});

describe('what a file sets [koder.env.env-file-injects]', () => {
  it.each<[string, string, VariableChanges]>([
    ['export lines', 'export A=1\nexport B="two words"\n', { A: '1', B: 'two words' }],
    ['no newline at the end', 'export A=1', { A: '1' }],
    ['an assignment that is not exported', 'A=1\nexport B=2', { B: '2' }],
    ['values with line breaks and signs', `export A='one\nB=not me\n'`, { A: 'one\nB=not me\n' }],
    ['values made of others', 'export A=$HOME/x\nexport B="${A}y"', { A: '/home/dev/x', B: '/home/dev/xy' }],
    ['a command’s output', 'export A="$(printf %s hello)"', { A: 'hello' }],
    ['PATH', 'export PATH="/opt/tool/bin:$PATH"', { PATH: '/opt/tool/bin:/usr/bin:/bin' }],
    ['a PATH without env', 'export PATH=/nowhere', { PATH: '/nowhere' }],
    ['a variable taken away', 'unset KEPT', { KEPT: null }],
    ['the same value again', 'export KEPT="as it was"\nexport A=1', { A: '1' }],
    ['what bash prints with export -p', 'declare -x A="1 2"\ndeclare -x B=3', { A: '1 2', B: '3' }],
    ['set -e and a command that fails last', 'export A=1\nset -u\n[ -f /nowhere ] && export B=2', { A: '1' }],
    ['exit 0', 'export A=1\nexit 0\nexport B=2', { A: '1' }],
    ['output', 'echo noise; echo "X=1" >&2; export A=1', { A: '1' }],
    ['input', 'read line; export A="got $line"', { A: 'got ' }],
    ['functions and traps', 'f() { echo; }; trap "echo bye" EXIT; export A=1', { A: '1' }],
    ['changes of directory', 'cd /\nexport A=1', { A: '1' }],
    ['an alias of what comes next', 'alias trap=exit\nexport A=1', { A: '1' }],
    ['positional parameters', 'set -- a b c\nexport A=$#', { A: '3' }],
    ['letters of other scripts', 'export A="žluť 漢字 🙂"', { A: 'žluť 漢字 🙂' }],
  ])('%s', async (_what, text, values) => {
    expect(await absorb(text)).toEqual([]);
    expect(changes).toEqual([values]);
  });

  it('is merged in config order, each over what came before', async () => {
    await absorb('export A=1 PATH="/one:$PATH"', '', 'export A=2 PATH="/two:$PATH"');
    expect(session).toMatchObject({ A: '2', PATH: '/two:/one:/usr/bin:/bin' });
  });

  it('is not lost when two dispatches end at once', async () => {
    await Promise.all([absorb('export PATH="/one:$PATH"'), absorb('export PATH="/two:$PATH"')]);
    expect(session.PATH?.split(':').sort()).toEqual(['/bin', '/one', '/two', '/usr/bin']);
  });

  it('does not leave the session [koder.env.env-file-session-scoped]', async () => {
    await absorb('export ONLY_HERE=1');
    expect(session.ONLY_HERE).toBe('1');
    expect(process.env.ONLY_HERE).toBeUndefined();
  });
});

describe('what does not count', () => {
  it.each([
    'CODEY_SESSION',
    'CODEY_NEW',
    'KODER_X',
    'HERDR_ENV',
    'LD_PRELOAD',
    'DYLD_LIBRARY_PATH',
    'BASH_ENV',
    'ENV',
  ])('%s [contract.envfile.refused-names]', async (name) => {
    expect(await absorb(`export ${name}=x\nexport A=1`)).toEqual([
      `${label} it may not change ${name}, which stays as it was`,
    ]);
    expect(changes).toEqual([{ A: '1' }]);
  });

  it('is a refused name that is taken away', async () => {
    expect(await absorb('unset CODEY_SESSION')).toHaveLength(1);
    expect(changes).toEqual([]);
  });

  it('is a line that is broken, in a file of which the other exports do', async () => {
    const text = "export A=1\nif broken\nexport B=\"open\n  export C='c c'\nexport 1D=x\nexport E=2";
    expect(await absorb(text)).toEqual([
      expect.stringMatching(
        /it is not a script that sh can read \(line \d+\); only its export lines were tried$/,
      ),
      `${label} line 3 does not count`,
      `${label} line 5 does not count`,
    ]);
    expect(changes).toEqual([{ A: '1', C: 'c c', E: '2' }]);
  });

  it.each([
    ['does not parse', 'if [ 1', /it is not a script that sh can read/],
    ['forgets to export', 'A=1\nB=2', /it exports nothing; write lines such as export NAME=value$/],
    ['is no script', '{"A": 1}', /it exports nothing; write lines such as export NAME=value$/],
  ])('is a file that %s, which is told', async (_how, text, told) => {
    expect(await absorb(text)).toEqual([expect.stringMatching(told)]);
    expect(changes).toEqual([]);
  });

  it('is what comes behind an error, which is told', async () => {
    expect(await absorb('export A=1\nset -e\nfalse\nexport B=2')).toEqual([
      `${label} it ended early with exit code 1; what it had set by then counts`,
    ]);
    expect(changes).toEqual([{ A: '1' }]);
  });

  it('is a file that never ends', async () => {
    expect(await absorb('export A=1\nwhile :; do :; done')).toEqual([
      `${label} it did not end within 2 s, so nothing of it counts`,
    ]);
    expect(changes).toEqual([]);
  });

  it('is a file that replaces the shell', async () => {
    expect(await absorb('export A=1\nexec true')).toEqual([
      `${label} it ended the shell before its variables could be read, so nothing of it counts`,
    ]);
  });

  it('is a value no program could be started with', async () => {
    const long = 'x'.repeat(70_000);
    expect(await absorb(`export A=${long}\nexport B=1`)).toEqual([
      `${label} A is longer than 64 KiB and does not count`,
    ]);
    expect(changes).toEqual([{ B: '1' }]);
  });

  it('is a file that is too large', async () => {
    expect(await absorb(`export A=1\n#${'x'.repeat(300_000)}`)).toEqual([
      `${label} it is larger than 256 KiB, so nothing of it counts`,
    ]);
  });

  it.each([
    [
      'a link',
      (file: string) => symlinkSync('/etc/passwd', file),
      'a symbolic link stands in its place, so nothing of it counts',
    ],
    [
      'a pipe',
      (file: string) => void execFileSync('mkfifo', [file]),
      'something that is not a regular file stands in its place',
    ],
  ])('is %s in place of the file', async (_what, replace, why) => {
    const file = await files.create();
    unlinkSync(file);
    replace(file);
    expect(await files.absorb([{ hook, file }])).toEqual([`${label} ${why}`]);
    expect(existsSync(file)).toBe(false);
  });
});

it('never shows a value among the arguments of a process', async () => {
  const seen: string[] = [];
  const watched = createEnvFiles({
    folder,
    cwd: folder,
    processes: {
      run(request) {
        seen.push(...request.argv);
        return processes.run(request);
      },
    },
    environment: () => session,
    onChange: (values) => changes.push(values),
  });
  const file = await watched.create();
  appendFileSync(file, 'export A=secret\nif\n');
  await watched.absorb([{ hook, file }]);
  expect(changes).toEqual([{ A: 'secret' }]);
  expect(seen.join(' ')).not.toContain('secret');
});

it('makes a folder where it is given none, and removes it', async () => {
  const own = createEnvFiles({ cwd: folder, processes, environment: () => session, onChange: () => {} });
  const file = await own.create();
  expect(existsSync(file)).toBe(true);
  await own.close();
  expect(existsSync(join(file, '..'))).toBe(false);
});
