import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../cli/commands.ts';
import { flagNames } from '../../cli/flags.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completionPlaces } from './grammar.ts';
import { zshScript } from './zsh.ts';

const places = completionPlaces();

describe('in bash', () => {
  /** What bash offers for the last of the words. */
  function offered(...words: readonly string[]): readonly string[] {
    const ask = `COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _codey; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const said = execFileSync(
      'bash',
      ['--norc', '-c', `${bashScript(places)}\n${ask}`, 'bash', 'codey', ...words],
      {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      },
    );
    return said.split('\n').filter((line) => line !== '');
  }

  it.each([
    ['a command', ['reh'], ['rehearse']],
    ['a group', ['ho'], ['hooks']],
    ['the second word', ['hooks', 'tru'], ['trust']],
    ['the second word behind a flag with a value', ['--cwd', 'x', 'hooks', 'tru'], ['trust']],
    ['a flag of the command', ['hooks', 'list', '--js'], ['--json']],
    ['a flag with one dash', ['hooks', 'list', '-js'], ['-json']],
    ['a flag behind an argument', ['hooks', 'test', 'Stop', '--dr'], ['--dry-run']],
    ['no flag of another command', ['hooks', 'schema', '--js'], []],
    ['the values of a flag', ['--permission-mode', 'by'], ['bypassPermissions']],
    ['an argument with choices', ['hooks', 'import', 'cl'], ['claude']],
    ['files where a file is meant', ['--settings', 'gram'], ['grammar.ts']],
    ['nothing where text is meant', ['--model', 'gram'], []],
  ])('%s', (_, words, completed) => {
    expect(offered(...words)).toEqual(completed);
  });

  it('every command', () => {
    for (const name of commandNames) expect(offered(...name.split(' '))).toContain(name.split(' ').at(-1));
  });
});

describe.each([
  ['bash', bashScript(places), ['-n']],
  ['zsh', zshScript(places), ['-n']],
  ['fish', fishScript(places), ['--no-execute']],
] as const)('the script for %s', (shell, script, checkOnly) => {
  it('names every command and flag', () => {
    const words = new Set(script.split(/[^\w-]+/).map((word) => word.replace(/^-+/, '')));
    const expected = [...commandNames.flatMap((name) => name.split(' ')), ...flagNames];
    expect(expected.filter((word) => !words.has(word))).toEqual([]);
  });

  const { error } = spawnSync(shell, ['-c', 'true']);
  it.skipIf(error !== undefined)('is one that the shell can read', () => {
    const { stderr, status } = spawnSync(shell, checkOnly, { input: script, encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });
});
