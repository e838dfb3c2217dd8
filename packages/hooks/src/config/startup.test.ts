import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse.ts';
import type { FileScope } from './scopes.ts';
import type { HookFlags } from './snapshot.ts';
import type { LoadedSettings } from './settings.ts';
import { checkStart } from './startup.ts';

const badHook = '{"hooks": {"Nope": []}}';
const badRule = '{"permissions": {"deny": ["("]}}';
const badText = '{';
const fine = '{"theme": "dark"}';

function loaded(...files: readonly (readonly [FileScope, string, 'locked'?])[]): LoadedSettings {
  return {
    projectRoot: '/p',
    files: files.map(([scope, text, locked]) => ({
      ...parseSettings({ text, scope, file: `/${scope}.json` }),
      locked: locked !== undefined,
    })),
  };
}

describe('which problems refuse the start', () => {
  it.each<[name: string, files: LoadedSettings, flags: HookFlags, refused: number]>([
    ['none', loaded(['user', fine]), {}, 0],
    ['a hook [contract.load.bad-entry-refuses]', loaded(['user', badHook]), {}, 1],
    ['all of them', loaded(['user', badHook], ['project', badRule], ['local', badText]), {}, 3],
    ['-no-hooks passes hooks', loaded(['user', badHook], ['project', badHook]), { noHooks: true }, 0],
    [
      '-no-hooks passes no rule [contract.off.no-hooks-still-refuses]',
      loaded(['user', badRule]),
      { noHooks: true },
      1,
    ],
    [
      '-no-hooks passes no broken text [contract.off.no-hooks-still-refuses]',
      loaded(['user', badText]),
      { noHooks: true },
      1,
    ],
    ['-no-hooks passes no other key', loaded(['user', '{"theme": 5}']), { noHooks: true }, 1],
    ['-no-hooks passes a managed file of the user', loaded(['managed', badHook]), { noHooks: true }, 0],
    [
      '-no-hooks passes nothing of the file that stays',
      loaded(['managed', badHook, 'locked']),
      { noHooks: true },
      1,
    ],
    [
      '--no-project-hooks passes project and local',
      loaded(['project', badHook], ['local', badHook]),
      { noProjectHooks: true },
      0,
    ],
    ['--no-project-hooks passes no hook of the user', loaded(['user', badHook]), { noProjectHooks: true }, 1],
    ['--no-project-hooks passes no rule', loaded(['project', badRule]), { noProjectHooks: true }, 1],
    ['--bare passes nothing', loaded(['user', badHook]), { bare: true }, 1],
  ])('%s', (_name, files, flags, refused) => {
    expect(checkStart(files, flags)?.problems.length ?? 0).toBe(refused);
  });
});

it('the message names every problem and the way in that keeps your own hooks [contract.load.all-problems-located] [contract.load.no-project-hooks]', () => {
  const refusal = checkStart(
    loaded(['project', '{"hooks": {"Nope": [],\n"run_ende": []}}'], ['local', badHook]),
  );
  expect(refusal?.withoutProjectHooks).toBe(true);
  expect(refusal?.text.split('\n')).toEqual([
    'codey did not start: 3 problems in 2 settings files.',
    '',
    '  /project.json:1:12  unknown event "Nope"  (`codey hooks schema` lists the events)',
    '  /project.json:2:1  unknown event "run_ende"  (did you mean "run_end"?)',
    '  /local.json:1:12  unknown event "Nope"  (`codey hooks schema` lists the events)',
    '',
    'Correct them and start again; `codey hooks validate` checks without starting.',
    'To start without this repository’s hooks, keeping your own: codey --no-project-hooks',
  ]);
});

it('a way in that would not help is not offered [contract.load.no-project-hooks]', () => {
  for (const files of [
    loaded(['user', badHook]),
    loaded(['user', badHook], ['project', badHook]),
    loaded(['project', badText]),
  ]) {
    const refusal = checkStart(files);
    expect(refusal?.withoutProjectHooks).toBe(false);
    expect(refusal?.text).not.toContain('--no-project-hooks');
  }
  expect(checkStart(loaded(['user', badHook]))?.text.split('\n')[0]).toBe(
    'codey did not start: a problem in a settings file.',
  );
});
