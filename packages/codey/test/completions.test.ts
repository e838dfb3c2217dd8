// What Tab does in real shells that were set up as `codey completions --help` says.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShell, type Shell, type ShellName } from './shells.ts';
import { createStage, type Stage } from './stage.ts';

const programs = ['codey', 'koder'] as const;
/** Bash belongs to every machine that tests run on; a machine without the others shows their tests as skipped. */
const shells: readonly ShellName[] = ['bash', 'zsh', 'fish'];

describe.each(shells)('in %s', (name) => {
  const missing = name !== 'bash' && spawnSync(name, ['-c', 'true']).error !== undefined;

  describe.skipIf(missing)('Tab (skipped where that shell is not installed)', () => {
    let stage: Stage;
    let shell: Shell;
    beforeAll(async () => {
      stage = createStage();
      const bin = path.join(stage.home, 'bin');
      mkdirSync(bin);
      for (const program of programs)
        symlinkSync(fileURLToPath(new URL(`../bin/${program}.js`, import.meta.url)), path.join(bin, program));
      stage.write('story-file.yaml', 'main: []\n');
      stage.write('other file.json', {});
      // A word of the command line that is a directory's name, too.
      stage.write('hooks/note.txt', '');
      stage.write('inner folder/note.txt', '');
      shell = await openShell(name, stage, bin);
    });
    afterAll(async () => {
      await shell.close();
      stage.remove();
    });

    it.each([
      ['a command', 'reh', ['rehearse']],
      ['a group, also beside a directory of that name', 'ho', ['hooks']],
      ['the second word', 'hooks tru', ['hooks', 'trust']],
      ['the second word behind a flag with a value', '--cwd x hooks tru', ['--cwd', 'x', 'hooks', 'trust']],
      ['the second word behind a flag with =', '--cwd=x hooks tru', ['--cwd=x', 'hooks', 'trust']],
      ['a topic of help', 'help hooks li', ['help', 'hooks', 'list']],
      ['a flag', '--outp', ['--output-format']],
      ['a flag behind a prompt', '-p "do it" --outp', ['-p', 'do it', '--output-format']],
      ['a flag behind a value that may be left out', '-resume abc --mod', ['-resume', 'abc', '--model']],
      ['a flag of the command', 'hooks list --js', ['hooks', 'list', '--json']],
      ['a flag with one dash', 'hooks list -js', ['hooks', 'list', '-json']],
      ['a flag behind an argument', 'hooks test Stop --dr', ['hooks', 'test', 'Stop', '--dry-run']],
      ['a value', '--permission-mode by', ['--permission-mode', 'bypassPermissions']],
      ['a value behind =', '--permission-mode=by', ['--permission-mode=bypassPermissions']],
      ['an argument with choices', 'hooks import cl', ['hooks', 'import', 'claude']],
      ['the name of an event', 'hooks test UserP', ['hooks', 'test', 'UserPromptSubmit']],
      ['a file', '--settings stor', ['--settings', 'story-file.yaml']],
      ['a file behind =', '--settings=stor', ['--settings=story-file.yaml']],
      ['a file with a space in its name', '--settings oth', ['--settings', 'other file.json']],
      ['a file as an argument', 'rehearse stor', ['rehearse', 'story-file.yaml']],
      ['one more file', 'hooks validate a.json stor', ['hooks', 'validate', 'a.json', 'story-file.yaml']],
      ['a directory', '--cwd inn', ['--cwd', 'inner folder']],
      ['a directory as an argument', 'plugin validate inn', ['plugin', 'validate', 'inner folder']],
    ])('completes %s', async (_, typed, words) => {
      for (const program of programs) {
        // zsh takes the slash behind a directory away when the line is run.
        const told = (await shell.tab(`${program} ${typed}`)).map((word) => word.replace(/\/$/, ''));
        expect(told).toEqual(words);
      }
    });

    it.each([
      ['a flag of another command', 'hooks schema --js'],
      ['a command where a prompt is meant', '-p ho'],
      ['a command behind a prompt', '-p done ho'],
      ['a command where an id is meant', '-resume ho'],
      ['a file where text is meant', '--model stor'],
      ['a file where a directory is meant', '--cwd stor'],
      ['a file where a name is meant', 'mcp get stor'],
      ['a second argument where one is enough', 'hooks import claude cl'],
      ['a second file where one is enough', 'rehearse a.yaml stor'],
    ])('does not complete %s', async (_, typed) => {
      expect(await shell.tab(`codey ${typed}`)).toEqual(typed.split(' '));
    });

    it('shows every command there is to choose from', async () => {
      await shell.list('codey ', [
        'rehearse',
        'setup',
        'sessions',
        'doctor',
        'hooks',
        'mcp',
        'plugin',
        'help',
      ]);
      await shell.list('koder hooks ', [
        'list',
        'validate',
        'test',
        'why',
        'trace',
        'trust',
        'import',
        'schema',
      ]);
    });
  });
});
