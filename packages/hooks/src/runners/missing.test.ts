import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingProgram } from './missing.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'missing-'));
  mkdirSync(join(folder, 'hooks dir'));
  for (const name of ['guard.sh', 'guard.py', 'guard.js', 'hooks dir/guard.sh'])
    writeFileSync(join(folder, name), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function missing(
  command: string,
  more: { args?: readonly string[]; shell?: string } = {},
): string | undefined {
  const environment = {
    PATH: '/usr/bin:/bin',
    CODEY_PROJECT_DIR: folder,
    HOME: folder,
    SPACED: join(folder, 'hooks dir'),
  };
  return missingProgram({ command, ...more, cwd: folder, environment });
}

describe('names what is missing [contract.failure.launch-is-no-verdict]', () => {
  it.each([
    ['./gone.sh', 'there is no <folder>/gone.sh'],
    ['/no/such/program --flag', 'there is no /no/such/program'],
    ['./gone.sh 2>/dev/null >&2', 'there is no <folder>/gone.sh'],
    ['A=1 B="x y" ./gone.sh', 'there is no <folder>/gone.sh'],
    ['"$CODEY_PROJECT_DIR"/gone.sh', 'there is no <folder>/gone.sh'],
    [`\${CODEY_PROJECT_DIR}/gone.sh *`, 'there is no <folder>/gone.sh'],
    ['~/gone.sh', 'there is no <folder>/gone.sh'],
    ['python3 gone.py', 'there is no <folder>/gone.py, which python3 was to run'],
    ['/usr/bin/python3.11 -u -B gone.py arg', 'there is no <folder>/gone.py, which python3.11 was to run'],
    [
      'exec env LANG=C timeout 5 python3 gone.py *.ts',
      'there is no <folder>/gone.py, which python3 was to run',
    ],
    ["bash 'hooks dir/gone.sh'", 'there is no <folder>/hooks dir/gone.sh, which bash was to run'],
    ['sh -eu gone.sh', 'there is no <folder>/gone.sh, which sh was to run'],
    ['. ./gone.sh', 'there is no <folder>/gone.sh, which . was to run'],
    ['node --no-warnings gone.js', 'there is no <folder>/gone.js, which node was to run'],
    ['perl -w gone.pl', 'there is no <folder>/gone.pl, which perl was to run'],
    ['cd "hooks dir" && ./gone.sh', 'there is no <folder>/hooks dir/gone.sh'],
    ['cd nowhere; ./guard.sh', 'it changes to <folder>/nowhere, which is no directory; correct the path'],
  ])('%s', (command, sentence) => {
    expect(missing(command)).toBe(sentence.replace('<folder>', folder));
  });

  it.each(['~/guard.sh', '"$HOME"/guard.sh', `bash \${HOME}/guard.sh`])(
    'in each environment anew: %s',
    (command) => {
      const seen = [folder, '/nowhere', folder].map((HOME) =>
        missingProgram({ command, cwd: folder, environment: { PATH: '/usr/bin:/bin', HOME } }),
      );
      expect(seen).toEqual([undefined, expect.stringContaining('there is no /nowhere/guard.sh'), undefined]);
    },
  );

  it('also for a program started without a shell', () => {
    expect(missing('python3', { args: ['gone $x.py'] })).toBe(
      `there is no ${folder}/gone $x.py, which python3 was to run`,
    );
  });
});

describe('says nothing where everything is there or it would have to guess', () => {
  it.each([
    './guard.sh',
    'python3 guard.py',
    'node guard',
    'cd "hooks dir" && ./guard.sh',
    '"$SPACED"/guard.sh',
    'sh ls',
    'no-such-program',
    'exit 2',
    '',
    'python3 -m gone',
    'python3 -c "exit(2)"',
    'python3 -W error gone.py',
    'node -e "process.exit(2)"',
    'node --import tsx gone.ts',
    'sh -c "./gone.sh"',
    'sh -s',
    'python3 - < gone.py',
    './gone.sh || exit 2',
    './guard.sh && ./gone.sh',
    './gone.sh; exit 2',
    './gone.sh | grep x',
    '(./gone.sh)',
    './gone.sh &',
    'if ./gone.sh; then exit 2; fi',
    './gone.sh "$(date)',
    './g*.sh',
    '$UNSET/gone.sh',
    '$SPACED/guard.sh',
    'python3 "$(which gone)"',
    'python3 `gone`',
    "echo 'not closed",
    'env -i ./gone.sh',
    'cd - && ./gone.sh',
    '# ./gone.sh',
    './gone.sh\nexit 2',
  ])('%s', (command) => {
    expect(missing(command)).toBeUndefined();
  });

  it('in a language that is not the shell’s', () => {
    expect(missing('./gone.ps1', { shell: 'pwsh' })).toBeUndefined();
  });
});
