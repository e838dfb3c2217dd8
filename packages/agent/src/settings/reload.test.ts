import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsChanges } from './changes.ts';
import { createSettingsReload, stampSettings } from './reload.ts';
import { diskWatchFiles } from '../watch/look.ts';

let root: string;
let locations: { readonly projectRoot: string; readonly home: string };

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'reload-')));
  locations = { projectRoot: join(root, 'project'), home: join(root, 'home') };
  await mkdir(join(root, 'home/.codey'), { recursive: true });
  await mkdir(join(root, 'project/.codey'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const userFile = () => join(root, 'home/.codey/settings.json');
const projectFile = () => join(root, 'project/.codey/settings.json');
const put = (value: unknown, file = userFile()) =>
  writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
const guard = (command: string, more: object = {}) => ({
  PreToolUse: [{ matcher: 'run_shell', hooks: [{ type: 'command', command, ...more }] }],
});

async function open() {
  return createSettingsReload({ locations, loaded: await loadSettings(locations) });
}

describe('an edit during a session', () => {
  it('is offered once as what it changes, and nothing else is [contract.reload.needs-yes]', async () => {
    await put({ hooks: guard('./guard.sh'), theme: 'dark' });
    const reload = await open();
    expect(await reload.look()).toBeUndefined();
    await put({ hooks: guard('./guard.sh --strict'), theme: 'dark' });
    const offer = await reload.look();
    expect(offer).toMatchObject({
      kind: 'changed',
      changes: [
        { kind: 'removed', what: 'PreToolUse hook, matcher run_shell, timeout 60 s: command ./guard.sh' },
        {
          kind: 'added',
          what: 'PreToolUse hook, matcher run_shell, timeout 60 s: command ./guard.sh --strict',
        },
      ],
    });
    if (offer?.kind !== 'changed') throw new Error('not offered');
    reload.decline(offer.loaded);
    expect(await reload.look()).toBeUndefined();
  });

  it('is seen from the stamp on that was taken before the files were loaded, which saves reading them again', async () => {
    await put({ theme: 'dark' });
    const later = { ...diskWatchFiles, time: () => Date.now() + 60_000 };
    const stamp = await stampSettings(locations, later);
    if (stamp === undefined) throw new Error('nothing was written lately');
    const loaded = await loadSettings(locations);
    const reload = createSettingsReload({ locations, loaded: { ...loaded, files: [] }, stamp });
    // What is said to be in force is not what stands there: only who reads would see it.
    expect(await reload.look()).toBeUndefined();
    await put({ theme: 'light', model: 'a/b' });
    expect(await reload.look()).toMatchObject({ kind: 'changed' });
    expect(await stampSettings(locations, { ...later, time: () => 0 })).toBeUndefined();
  });

  it('is measured by what is in force, whatever was declined in between [contract.reload.needs-yes]', async () => {
    await put({ hooks: guard('./one.sh') });
    const reload = await open();
    await put({ hooks: guard('./two.sh') });
    const declined = await reload.look();
    if (declined?.kind !== 'changed') throw new Error('not offered');
    reload.decline(declined.loaded);
    await put({ hooks: guard('./one.sh') });
    expect(await reload.look()).toBeUndefined();
    await put({ hooks: guard('./three.sh') });
    const offer = await reload.look();
    if (offer?.kind !== 'changed') throw new Error('not offered');
    expect(offer.changes.map(({ what }) => what.split(' ').at(-1))).toEqual(['./one.sh', './three.sh']);
    reload.use(offer.loaded);
    await put({ hooks: guard('./three.sh'), brief: true });
    expect(await reload.look()).toMatchObject({ changes: [{ kind: 'added', what: 'brief', after: 'true' }] });
  });

  it('is offered until it is answered, and after a no not again for the same content [contract.reload.needs-yes]', async () => {
    await put({ hooks: guard('./one.sh') });
    const reload = await open();
    await put({ hooks: guard('./two.sh') });
    const first = await reload.look();
    const offer = await reload.look();
    expect(offer).toEqual(first);
    if (offer?.kind !== 'changed') throw new Error('not offered');
    reload.decline(offer.loaded);
    expect(await reload.look()).toBeUndefined();
    await put({ hooks: guard('./one.sh') });
    expect(await reload.look()).toBeUndefined();
    await put(`// as before\n${JSON.stringify({ hooks: guard('./two.sh') })}`);
    expect(await reload.look()).toBeUndefined();
    await put({ hooks: guard('./three.sh') });
    expect(await reload.look()).toMatchObject({ kind: 'changed' });
  });

  it('made between loading and the first look is seen [contract.reload.needs-yes]', async () => {
    const loaded = await loadSettings(locations);
    await put({ hooks: guard('./guard.sh') });
    expect(await createSettingsReload({ locations, loaded }).look()).toMatchObject({ kind: 'changed' });
  });

  it('that the session saved itself is in force, what else changed in the file is offered', async () => {
    const reload = await open();
    await put({ brief: true });
    await reload.saved(userFile(), 'brief');
    expect(await reload.look()).toBeUndefined();
    await put({ brief: false, hooks: guard('./guard.sh') });
    await reload.saved(userFile(), 'brief');
    const offer = await reload.look();
    expect(offer).toMatchObject({ changes: [{ kind: 'added', counts: 'at once' }] });
  });

  it('that is broken is told once with every problem, and offered when it is mended [contract.reload.keeps-last-good]', async () => {
    await put({ hooks: guard('./guard.sh') });
    const reload = await open();
    await put('{"hooks": {"PreTolUse": [}');
    const broken = await reload.look();
    expect(broken).toMatchObject({ kind: 'broken', text: expect.stringContaining(`${userFile()}:1:`) });
    expect(broken?.kind === 'broken' && broken.text).toContain('what was in force stays in force');
    expect(await reload.look()).toBeUndefined();
    await put({});
    expect(await reload.look()).toMatchObject({ kind: 'changed', changes: [{ kind: 'removed' }] });
  });

  it('is none where a link is laid anew or a file written again with what it held', async () => {
    const [one, other] = [join(root, 'one.json'), join(root, 'other.json')];
    for (const file of [one, other]) await put({ hooks: guard('./guard.sh') }, file);
    await symlink(one, userFile());
    const reload = await open();
    await rm(userFile());
    await symlink(other, userFile());
    await put({ hooks: guard('./guard.sh') }, other);
    expect(await reload.look()).toBeUndefined();
    await put({ hooks: guard('./another.sh') }, other);
    expect(await reload.look()).toMatchObject({ kind: 'changed' });
  });

  it('may be a file that appears or goes', async () => {
    const reload = await open();
    await put({ permissions: { deny: ['run_shell(git push*)'] } }, projectFile());
    const offer = await reload.look();
    expect(offer).toMatchObject({
      changes: [{ file: projectFile(), kind: 'added', what: 'deny rule run_shell(git push*)' }],
    });
    if (offer?.kind === 'changed') reload.use(offer.loaded);
    await rm(projectFile());
    expect(await reload.look()).toMatchObject({ changes: [{ kind: 'removed' }] });
  });
});

describe('the changes', () => {
  async function between(before: unknown, after: unknown) {
    await put(before);
    const first = await loadSettings(locations);
    await put(after);
    return settingsChanges(first, await loadSettings(locations)).map(
      ({ kind, what, before: was, after: is }) => ({
        kind,
        what,
        was,
        is,
      }),
    );
  }

  it.each([
    ['a timeout', { hooks: guard('a', { timeout: 5 }) }, { hooks: guard('a', { timeout: 6 }) }, 2],
    ['a switch', {}, { disableAllHooks: true }, 1],
    ['a mode', { permissions: { mode: 'plan' } }, { permissions: { mode: 'default' } }, 1],
    ['the order', { hooks: { run_end: ['a', 'b'] } }, { hooks: { run_end: ['b', 'a'] } }, 1],
    ['one of two equal hooks', { hooks: { run_end: ['a', 'a'] } }, { hooks: { run_end: ['a'] } }, 1],
    ['blanks and the order of keys', { theme: 'a', model: 'b/c' }, { model: 'b/c', theme: 'a' }, 0],
  ] as const)('see %s', async (_, before, after, expected) => {
    expect(await between(before, after)).toHaveLength(expected);
  });

  it('say what can be put in force and what a session was started with', async () => {
    await put({});
    const first = await loadSettings(locations);
    await put({
      model: 'b/c',
      disableAllHooks: true,
      permissions: { mode: 'plan', deny: ['web_fetch'] },
      hooks: guard('a'),
    });
    const changes = settingsChanges(first, await loadSettings(locations));
    expect(changes.filter(({ counts }) => counts !== 'at once').map(({ what }) => what)).toEqual(['model']);
    expect(changes).toHaveLength(5);
  });

  it('never show what may be a secret', async () => {
    const server = (key: string) => ({
      env: { TOKEN: key },
      mcpServers: { wiki: { command: 'serve', env: { KEY: key }, headers: { a: key } } },
    });
    const changes = await between(server('s3cret'), server('s3cret2'));
    expect(changes.map(({ kind, what }) => [kind, what])).toEqual([
      ['changed', 'env.TOKEN'],
      ['changed', 'mcpServers.wiki'],
    ]);
    expect(JSON.stringify(changes)).not.toContain('s3cret');
  });
});
