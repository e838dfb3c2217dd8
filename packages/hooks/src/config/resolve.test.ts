import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse.ts';
import { type ResolveOptions, resolveSettings } from './resolve.ts';
import type { FileScope } from './scopes.ts';
import type { LoadedSettings, PlacedRule } from './settings.ts';

const order: readonly FileScope[] = ['managed', 'settings', 'user', 'project', 'local'];

/** Files in scope order, as they are loaded; the file of a scope is named after it. */
function loaded(files: Readonly<Partial<Record<FileScope, object>>>): LoadedSettings {
  return {
    projectRoot: '/p',
    files: order.flatMap((scope) => {
      const settings = files[scope];
      if (settings === undefined) return [];
      const parsed = parseSettings({ text: JSON.stringify(settings), scope, file: `/${scope}.json` });
      expect(parsed.problems).toEqual([]);
      return [{ ...parsed, locked: false }];
    }),
  };
}

function resolve(files: Parameters<typeof loaded>[0], options: Partial<ResolveOptions> = {}) {
  return resolveSettings(loaded(files), { agreed: () => true, ...options });
}

describe('of a single value the strongest scope counts [contract.scope.single-values]', () => {
  const own = { user: { model: 'm/user' } };
  const shared = { ...own, project: { model: 'm/project' } };
  const ordinary = { ...shared, local: { model: 'm/local' } };
  const unmanaged = { ...ordinary, settings: { model: 'm/settings' } };
  const all = { ...unmanaged, managed: { model: 'm/managed' } };
  const flags = { model: 'm/flag' };

  it.each([
    ['managed over all', all, flags, 'm/managed'],
    ['then the flag', unmanaged, flags, 'm/flag'],
    ['then the --settings file', unmanaged, {}, 'm/settings'],
    ['then local', ordinary, {}, 'm/local'],
    ['then project', shared, {}, 'm/project'],
    ['then user', own, {}, 'm/user'],
    ['else nothing', {}, {}, undefined],
  ] as const)('%s', (_name, files, given, model) => {
    expect(resolve(files, { flags: given }).model).toBe(model);
  });

  it('the same for the permission mode', () => {
    const files = {
      user: { permissions: { mode: 'plan' } },
      local: { permissions: { mode: 'acceptEdits' } },
    };
    expect(resolve(files).permissions.mode).toBe('acceptEdits');
    expect(resolve(files, { flags: { permissionMode: 'dontAsk' } }).permissions.mode).toBe('dontAsk');
    const managed = { ...files, managed: { permissions: { mode: 'default' } } };
    expect(resolve(managed, { flags: { permissionMode: 'bypassPermissions' } }).permissions.mode).toBe(
      'default',
    );
    expect(resolve({}).permissions.mode).toBe('default');
  });

  it('false is a value too', () => {
    expect(resolve({ managed: { claudeHooks: false }, user: { claudeHooks: true } }).claudeHooks).toBe(false);
    expect(
      resolve({ managed: { herdr: { report: true } }, user: { herdr: { report: false } } }).herdr.report,
    ).toBe(true);
  });

  it('of two files of one scope the .codey one', () => {
    const codey = parseSettings({ text: '{"theme": "codey"}', scope: 'user', file: '/.codey/settings.json' });
    const koder = parseSettings({ text: '{"theme": "koder"}', scope: 'user', file: '/.koder/settings.json' });
    const files = [codey, koder].map((file) => ({ ...file, locked: false }));
    expect(resolveSettings({ projectRoot: '/p', files }, { agreed: () => true }).theme).toBe('codey');
  });
});

it('variables, servers, providers and plugins are single values by name', () => {
  const settings = resolve({
    managed: { env: { A: 'managed' } },
    user: {
      env: { A: 'user', B: 'user', C: 'user' },
      mcpServers: { docs: { command: 'mine' } },
      plugins: { x: true },
    },
    project: { env: { B: 'project', C: 'project' }, mcpServers: { docs: { command: 'ours' }, db: {} } },
    local: { env: { C: 'local' }, plugins: { y: true } },
  });
  expect(settings.env).toEqual({ A: 'managed', B: 'project', C: 'local' });
  expect(settings.mcpServers).toEqual({ docs: { command: 'ours' }, db: {} });
  expect(settings.plugins).toEqual({ x: true, y: true });
});

it('permission lists are united in scope order, each rule with its place [contract.scope.single-values]', () => {
  const flag: PlacedRule = {
    rule: { text: 'list_directory', tools: ['list_directory'] },
    source: { scope: 'settings', file: '--allowed-tools', line: 0, column: 0, fromRepository: false },
  };
  const settings = resolve(
    {
      managed: { permissions: { deny: ['web_fetch'], allow: ['a'] } },
      user: { permissions: { deny: ['run_shell(rm*)'], allow: ['b'] } },
      local: { permissions: { deny: ['edit_file'], allow: ['c'], ask: ['d'] } },
    },
    { flags: { allow: [flag] } },
  );
  const places = (list: readonly PlacedRule[]) =>
    list.map(({ rule, source }) => `${rule.text} ${source.file}`);
  expect(places(settings.permissions.deny)).toEqual([
    'web_fetch /managed.json',
    'run_shell(rm*) /user.json',
    'edit_file /local.json',
  ]);
  expect(places(settings.permissions.allow)).toEqual([
    'list_directory --allowed-tools',
    'a /managed.json',
    'b /user.json',
    'c /local.json',
  ]);
  expect(places(settings.permissions.ask)).toEqual(['d /local.json']);
});

it('a repository nobody agreed to gives its deny and ask rules and nothing else [contract.repo.tightening-read] [contract.repo.loosening-reviewed]', () => {
  const everything = {
    model: 'm/theirs',
    permissions: { allow: ['run_shell'], ask: ['web_fetch'], deny: ['read_file'], mode: 'acceptEdits' },
    env: { PORT: '1' },
    mcpServers: { docs: {} },
    plugins: { x: true },
  };
  const files = { user: { model: 'm/mine' }, project: everything, local: everything };
  const untrusted = resolve(files, { agreed: () => false });
  expect(untrusted).toEqual({
    ...resolve({ user: { model: 'm/mine' } }),
    permissions: {
      allow: [],
      ask: [
        expect.objectContaining({ rule: expect.objectContaining({ text: 'web_fetch' }) }),
        expect.anything(),
      ],
      deny: [
        expect.objectContaining({ rule: expect.objectContaining({ text: 'read_file' }) }),
        expect.anything(),
      ],
      mode: 'default',
    },
  });
  const half = resolve(files, { agreed: ({ scope }) => scope === 'project' });
  expect(half.permissions.allow.map(({ source }) => source.file)).toEqual(['/project.json']);
  expect(half.model).toBe('m/theirs');
});

it('files that are not of a repository need nobody’s agreement', () => {
  const files = { managed: { theme: 'm' }, settings: { model: 'm/s' }, user: { env: { A: '1' } } };
  expect(resolve(files, { agreed: () => false })).toEqual(resolve(files));
});

it('a repository never bypasses permissions, agreed or not [contract.repo.control-names]', () => {
  const files = {
    project: { permissions: { mode: 'bypassPermissions' }, env: { PATH: '/x' }, model: 'script:x.yaml' },
  };
  const settings = resolve(files);
  expect(settings.permissions.mode).toBe('default');
  expect(settings.env).toEqual({});
  expect(settings).not.toHaveProperty('model');
});
