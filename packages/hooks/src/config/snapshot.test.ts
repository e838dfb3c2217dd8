import { describe, expect, it } from 'vitest';
import { parseContributedHooks, parseSettings } from './parse.ts';
import type { FileScope } from './scopes.ts';
import type { LoadedSettings } from './settings.ts';
import { type SnapshotOptions, takeSnapshot } from './snapshot.ts';

interface GivenFile {
  readonly scope: FileScope;
  readonly settings: object;
  readonly locked?: boolean;
}

function loaded(files: readonly GivenFile[]): LoadedSettings {
  return {
    projectRoot: '/p',
    files: files.map(({ scope, settings, locked = false }, index) => {
      const parsed = parseSettings({ text: JSON.stringify(settings), scope, file: `/${scope}${index}.json` });
      return { ...parsed, locked };
    }),
  };
}

function switches(files: readonly GivenFile[], options: Partial<SnapshotOptions> = {}) {
  return takeSnapshot(loaded(files), { agreed: () => true, ...options }).switches;
}

function hooks(command: string): object {
  return { hooks: { Stop: [{ hooks: [{ type: 'command', command }] }], run_end: [command] } };
}

it('hooks stand in scope order, then those of plugins and skills [contract.scope.order]', () => {
  const contributed = parseContributedHooks({
    text: JSON.stringify(hooks('plugin')),
    origin: {
      scope: 'plugin',
      file: '/plugin/hooks.json',
      fromRepository: false,
      root: '/plugin',
      contributor: 'style',
    },
  });
  const files: GivenFile[] = [
    { scope: 'managed', settings: hooks('managed') },
    { scope: 'user', settings: hooks('user') },
    { scope: 'project', settings: hooks('project') },
    { scope: 'local', settings: hooks('local') },
  ];
  const snapshot = takeSnapshot(loaded(files), { agreed: () => true, contributed: [contributed] });
  const scopes = ['managed', 'user', 'project', 'local', 'plugin'];
  expect(snapshot.policy.map(({ source }) => source.scope)).toEqual(scopes);
  expect(snapshot.lifecycle.map(({ source }) => source.scope)).toEqual(scopes);
});

it('switched-off and unreviewed hooks stay in, so that they can be listed', () => {
  const files: GivenFile[] = [{ scope: 'project', settings: { ...hooks('x'), disableAllHooks: true } }];
  const snapshot = takeSnapshot(loaded(files), {
    agreed: () => false,
    flags: { noHooks: true, noProjectHooks: true, bare: true },
  });
  expect([snapshot.policy.length, snapshot.lifecycle.length]).toEqual([1, 1]);
});

it('a snapshot cannot be changed [contract.reload.frozen-call]', () => {
  const snapshot = takeSnapshot(loaded([{ scope: 'user', settings: hooks('x') }]), { agreed: () => true });
  const parts: readonly unknown[] = [
    snapshot,
    snapshot.policy,
    snapshot.lifecycle,
    snapshot.switches,
    snapshot.policy[0],
    snapshot.policy[0]?.handler,
    snapshot.policy[0]?.source,
    snapshot.lifecycle[0],
  ];
  expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
});

describe('disableAllHooks', () => {
  it.each<[name: string, files: readonly GivenFile[], expected: string]>([
    ['nobody says it', [{ scope: 'user', settings: {} }], 'none'],
    ['false', [{ scope: 'user', settings: { disableAllHooks: false } }], 'none'],
    [
      'the user [koder.disable-all.user-file]',
      [{ scope: 'user', settings: { disableAllHooks: true } }],
      'all-but-managed',
    ],
    [
      'a reviewed project [koder.disable-all.project-file]',
      [{ scope: 'project', settings: { disableAllHooks: true } }],
      'all-but-managed',
    ],
    [
      'a managed file [koder.disable-all.managed-file]',
      [{ scope: 'managed', settings: { disableAllHooks: true } }],
      'all',
    ],
    [
      'a true against every false',
      [
        { scope: 'managed', settings: { disableAllHooks: false } },
        { scope: 'settings', settings: { disableAllHooks: false } },
        { scope: 'user', settings: { disableAllHooks: true } },
        { scope: 'project', settings: { disableAllHooks: false } },
        { scope: 'local', settings: { disableAllHooks: false } },
      ],
      'all-but-managed',
    ],
    [
      'a false of the user against a project’s true',
      [
        { scope: 'user', settings: { disableAllHooks: false } },
        { scope: 'local', settings: { disableAllHooks: true } },
      ],
      'all-but-managed',
    ],
  ])('%s', (_name, files, expected) => {
    expect(switches(files).disableAll).toBe(expected);
  });

  it('an unreviewed project cannot turn off anything [contract.repo.loosening-reviewed]', () => {
    const files: GivenFile[] = [
      { scope: 'project', settings: { disableAllHooks: true, disabledHooks: ['Stop:01234567'] } },
    ];
    const found = switches(files, { agreed: () => false });
    expect([found.disableAll, found.disabledIds.size]).toEqual(['none', 0]);
  });
});

it('ids to switch off come from the user’s files, never from a repository [contract.off.disabled-by-id] [contract.repo.never-set]', () => {
  const found = switches([
    { scope: 'user', settings: { disabledHooks: ['Stop:01234567'] } },
    { scope: 'user', settings: { disabledHooks: ['run_end:89abcdef'] } },
    { scope: 'project', settings: { disabledHooks: ['PreToolUse:00000000'] } },
  ]);
  expect([...found.disabledIds]).toEqual(['Stop:01234567', 'run_end:89abcdef']);
});

it('managed switches come from managed files only [contract.repo.never-set]', () => {
  const settings = {
    allowManagedHooksOnly: true,
    allowedHttpHookUrls: ['https://hooks.example/*'],
    hookFailure: { project: 'block' },
  };
  const ignored = switches([
    { scope: 'user', settings },
    { scope: 'project', settings },
  ]);
  expect([ignored.managedOnly, ignored.hookFailure, 'allowedHttpUrls' in ignored]).toEqual([
    false,
    {},
    false,
  ]);
  expect(switches([{ scope: 'managed', settings }])).toMatchObject({
    managedOnly: true,
    hookFailure: { project: 'block' },
    allowedHttpUrls: ['https://hooks.example/*'],
  });
  const several = switches([
    { scope: 'managed', settings: { hookFailure: { project: 'block' }, allowManagedHooksOnly: false } },
    { scope: 'managed', settings: { hookFailure: { user: 'block' }, allowManagedHooksOnly: true } },
  ]);
  expect(several).toMatchObject({ managedOnly: true, hookFailure: { project: 'block', user: 'block' } });
});

it('withheld by default are the keys of model providers, those of the user’s own among them', () => {
  const providers = { local: { apiKeyEnv: 'LOCAL_KEY' }, open: { baseURL: 'http://localhost/' } };
  const providerKeys = ['ANTHROPIC_API_KEY'];
  expect(switches([{ scope: 'user', settings: { providers } }], { providerKeys }).withhold).toEqual([
    'ANTHROPIC_API_KEY',
    'LOCAL_KEY',
  ]);
  const own = { providers, hookEnv: { withhold: ['TOKEN'] } };
  expect(switches([{ scope: 'user', settings: own }], { providerKeys }).withhold).toEqual(['TOKEN']);
  expect(switches([{ scope: 'user', settings: { hookEnv: {} } }], { providerKeys }).withhold).toEqual([]);
  expect(switches([{ scope: 'project', settings: own }], { providerKeys }).withhold).toEqual(providerKeys);
});

it('flags and the file they do not reach are switches too [contract.off.no-hooks-root-owned]', () => {
  const files: GivenFile[] = [
    { scope: 'managed', settings: {}, locked: true },
    { scope: 'managed', settings: {} },
  ];
  expect(switches(files)).toMatchObject({
    noHooks: false,
    noProjectHooks: false,
    bare: false,
    lockedFile: '/managed0.json',
  });
  expect(switches([], { flags: { noHooks: true, noProjectHooks: true, bare: true } })).toEqual({
    disableAll: 'none',
    disabledIds: new Set(),
    managedOnly: false,
    hookFailure: {},
    withhold: [],
    noHooks: true,
    noProjectHooks: true,
    bare: true,
  });
});

describe('hooks that a plugin or skill contributes', () => {
  const origin = {
    scope: 'plugin',
    file: '/p/hooks.json',
    fromRepository: true,
    root: '/p',
    contributor: 'style',
  } as const;

  it('good entries stay beside bad ones [contract.load.contributed-entry-warns]', () => {
    const text =
      '{"description": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "good"}, {}]}]}}';
    const { policy, problems } = parseContributedHooks({ text, origin });
    expect(policy.map(({ source }) => source)).toEqual([{ ...origin, line: 1, column: 52 }]);
    expect(problems.map(({ scope, message }) => [scope, message])).toEqual([
      ['plugin', 'this hook has no "type"'],
    ]);
  });

  it('the same words of two contributors are two hooks [contract.identity.what-runs]', () => {
    const text = JSON.stringify(hooks('./check.sh'));
    const one = parseContributedHooks({ text, origin });
    const other = parseContributedHooks({ text, origin: { ...origin, root: '/q' } });
    expect(one.policy[0]?.identity).not.toBe(other.policy[0]?.identity);
    expect(one.lifecycle[0]?.identity).not.toBe(other.lifecycle[0]?.identity);
  });

  it('entries that were not written as JSON stand where their author wrote them', () => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }, 5] }] } });
    const asked: string[] = [];
    const placeOf = (path: readonly (string | number)[]) => ({ line: asked.push(path.join('.')), column: 1 });
    const { policy, problems } = parseContributedHooks({ text, origin, placeOf });
    const places = [policy[0]?.source.line, problems[0]?.line].map((line) => asked[(line ?? 0) - 1]);
    expect(places).toEqual(['hooks.Stop.0.hooks.0', 'hooks.Stop.0.hooks.1']);
  });

  it('events that stand beside "hooks" are a problem, since they would never fire', () => {
    const text = '{"name": "x", "PreToolUse": [], "run_end": []}';
    const { problems } = parseContributedHooks({ text, origin });
    expect(problems.map(({ column, message }) => [column, message])).toEqual([
      [15, 'PreToolUse stands outside "hooks"'],
      [33, 'run_end stands outside "hooks"'],
    ]);
  });
});
