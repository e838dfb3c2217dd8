import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision, DispatchContext, Dispatcher, MergedVerdict } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeRefusal, type SaveRequest, saveSetting } from './save.ts';

let root: string;
let home: string;
let projectRoot: string;
let asked: unknown[];
/** What happens while the ConfigChange hooks run, and what they say. */
let hook: () => Promise<MergedVerdict> | MergedVerdict;

const hooks: Dispatcher = {
  async dispatch(event, payload): Promise<Decision> {
    asked.push({ event, ...payload });
    return { verdict: await hook(), rewrittenBy: [], contexts: [], watchPaths: [], reports: [] };
  },
};
const context: DispatchContext = {
  agent: { id: 'main', type: 'main' },
  workspace: '',
  cwd: '',
  turn: null,
  model: 'test/model',
  permissionMode: 'default',
  transcriptPath: '',
  usage: { input_tokens: 0, output_tokens: 0, context_share: null },
};
const refusal: MergedVerdict = {
  kind: 'deny',
  reasons: [{ hook: 'guard.sh, settings.json:4', place: 'settings.json:4', text: 'settings are frozen' }],
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'save-setting-')));
  home = join(root, 'home');
  projectRoot = join(root, 'project');
  await mkdir(join(home, '.codey'), { recursive: true });
  await mkdir(join(projectRoot, '.codey'), { recursive: true });
  asked = [];
  hook = () => ({ kind: 'none' });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const brief: SaveRequest = { scope: 'user', path: ['brief'], value: true };
const save = (request: SaveRequest = brief) =>
  saveSetting(request, { projectRoot, home }, { hooks, context });
const userFile = () => join(home, '.codey/settings.json');

describe('a setting that is saved', () => {
  it.each([
    ['user', 'user_settings', 'home/.codey/settings.json'],
    ['project', 'project_settings', 'project/.codey/settings.json'],
    ['local', 'project_settings', 'project/.codey/settings.local.json'],
  ] as const)(
    'in the %s file is asked about as %s, when the new bytes are there [koder.event.configchange-on-save] [koder.event.configchange-match] [koder.event.configchange-payload]',
    async (scope, source, name) => {
      const file = join(root, name);
      let seen = '';
      hook = async () => {
        seen = await readFile(file, 'utf8');
        return { kind: 'none' };
      };
      expect(await save({ ...brief, scope })).toEqual({ kind: 'saved', file });
      expect(asked).toEqual([{ event: 'ConfigChange', source, file_path: file }]);
      expect(JSON.parse(seen)).toEqual({ brief: true });
    },
  );

  it('changes only its own key [contract.write.only-asked-keys]', async () => {
    await writeFile(userFile(), '{\n  // mine\n  "theme": "dark",   "unknown": [1,\n2]\n}\n');
    await save();
    expect(await readFile(userFile(), 'utf8')).toBe(
      '{\n  // mine\n  "theme": "dark",   "unknown": [1,\n2],\n  "brief": true\n}\n',
    );
  });

  it('is asked about once: not when it already had the value, nor when it cannot be written', async () => {
    await writeFile(userFile(), '{"brief": true}');
    expect(await save()).toEqual({ kind: 'unchanged', file: userFile() });
    await writeFile(userFile(), '{"brief": tru');
    expect(await save()).toMatchObject({ kind: 'refused', file: userFile() });
    expect(await saveSetting(brief, { projectRoot }, { hooks, context })).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
    expect(await readFile(userFile(), 'utf8')).toBe('{"brief": tru');
  });
});

describe('a setting that a hook refuses', () => {
  it('leaves the file with its bytes and mode, and says why [koder.event.configchange-block]', async () => {
    const before = '{ "theme":"dark" }';
    await writeFile(userFile(), before);
    await chmod(userFile(), 0o604);
    hook = () => refusal;
    const saved = await save();
    expect(saved).toEqual({ kind: 'blocked', file: userFile(), reason: 'settings are frozen' });
    expect(await readFile(userFile(), 'utf8')).toBe(before);
    expect((await stat(userFile())).mode & 0o777).toBe(0o604);
    expect(describeRefusal(saved)).toBe(
      `The setting was not saved, and ${userFile()} is as it was: settings are frozen`,
    );
  });

  it.each([
    ['ask', { kind: 'ask', reasons: refusal.kind === 'deny' ? refusal.reasons : [] }],
    ['an interrupt', { kind: 'cancelled' }],
  ] as const)('counts the same for %s: nobody said yes', async (_, verdict) => {
    hook = () => verdict;
    expect(await save()).toMatchObject({ kind: 'blocked' });
    await expect(stat(userFile())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    [true, 'saved'],
    [false, 'blocked'],
  ] as const)(
    'is the user’s to decide where a hook asks and somebody can answer: %s is %s',
    async (yes, kind) => {
      hook = () => ({ kind: 'ask', reasons: refusal.kind === 'deny' ? refusal.reasons : [] });
      const questions: string[] = [];
      const confirm = async (reason: string) => {
        questions.push(reason);
        return yes;
      };
      const saved = await saveSetting(brief, { projectRoot, home }, { hooks, context, confirm });
      expect([saved.kind, questions]).toEqual([kind, ['settings are frozen']]);
    },
  );

  it('leaves what somebody wrote meanwhile and reports the conflict [koder.event.configchange-block]', async () => {
    hook = async () => {
      await writeFile(userFile(), '{"brief": true, "theme": "dark"}');
      return refusal;
    };
    const saved = await save();
    expect(saved).toMatchObject({ kind: 'conflict', reason: 'settings are frozen' });
    expect(await readFile(userFile(), 'utf8')).toBe('{"brief": true, "theme": "dark"}');
    expect(describeRefusal(saved)).toContain('was changed by somebody else meanwhile');
  });
});

it('holds no lock while the hooks run: they may save settings themselves', async () => {
  hook = async () => {
    hook = () => ({ kind: 'none' });
    await save({ scope: 'user', path: ['theme'], value: 'dark' });
    return { kind: 'none' };
  };
  expect(await save()).toMatchObject({ kind: 'saved' });
  expect(JSON.parse(await readFile(userFile(), 'utf8'))).toEqual({ brief: true, theme: 'dark' });
});
