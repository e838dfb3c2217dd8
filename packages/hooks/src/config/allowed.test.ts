import { describe, expect, it } from 'vitest';
import { isControlVariable, withinReach, withoutReview } from './allowed.ts';
import { parseSettings } from './parse.ts';
import { formatProblem } from './problem.ts';
import type { FileScope } from './scopes.ts';

function parse(text: string, scope: FileScope) {
  const { values, problems, warnings } = parseSettings({ text, scope, file: '/s.json' });
  expect(problems).toEqual([]);
  return { values, warnings: warnings.map(formatProblem) };
}

const everything = `{
  "model": "anthropic/claude",
  "providers": {"local": {"baseURL": "http://localhost:8080/"}},
  "permissions": {"allow": ["read_file"], "ask": ["web_fetch"], "deny": ["run_shell"], "mode": "acceptEdits"},
  "disableAllHooks": true,
  "disabledHooks": [],
  "hookEnv": {},
  "claudeHooks": true,
  "mcpServers": {"docs": {}},
  "plugins": {"style": true},
  "env": {"PORT": "1"},
  "theme": "dark",
  "herdr": {"report": false},
  "telemetry": {},
  "allowManagedHooksOnly": true,
  "allowedHttpHookUrls": [],
  "hookFailure": {}
}`;
const reviewed = ['model', 'permissions', 'disableAllHooks', 'mcpServers', 'plugins', 'env'];
const usersOwn = ['providers', 'disabledHooks', 'hookEnv', 'claudeHooks', 'theme', 'herdr', 'telemetry'];
const managedOnly = ['allowManagedHooksOnly', 'allowedHttpHookUrls', 'hookFailure'];

describe('what a file may set', () => {
  it.each(['project', 'local'] as const)(
    'a %s file sets what can be reviewed [contract.repo.never-set]',
    (scope) => {
      const { values, warnings } = parse(everything, scope);
      expect(Object.keys(values).sort()).toEqual([...reviewed].sort());
      expect(warnings).toEqual([
        '/s.json:3:3  a repository cannot set "providers"; it is not read here',
        '/s.json:6:3  a repository cannot set "disabledHooks"; it is not read here',
        '/s.json:7:3  a repository cannot set "hookEnv"; it is not read here',
        '/s.json:8:3  a repository cannot set "claudeHooks"; it is not read here',
        '/s.json:12:3  a repository cannot set "theme"; it is not read here',
        '/s.json:13:3  a repository cannot set "herdr"; it is not read here',
        '/s.json:14:3  a repository cannot set "telemetry"; it is not read here',
        '/s.json:15:3  "allowManagedHooksOnly" counts in managed settings only and is not read here',
        '/s.json:16:3  "allowedHttpHookUrls" counts in managed settings only and is not read here',
        '/s.json:17:3  "hookFailure" counts in managed settings only and is not read here',
      ]);
    },
  );

  it.each(['user', 'settings'] as const)('a %s file sets all but what is for managed files', (scope) => {
    const { values, warnings } = parse(everything, scope);
    expect(Object.keys(values).sort()).toEqual([...reviewed, ...usersOwn].sort());
    expect(warnings).toHaveLength(managedOnly.length);
  });

  it('a managed file sets everything', () => {
    const { values, warnings } = parse(everything, 'managed');
    expect(Object.keys(values).sort()).toEqual([...reviewed, ...usersOwn, ...managedOnly].sort());
    expect(warnings).toEqual([]);
  });
});

describe('values a repository cannot even ask for [contract.repo.control-names]', () => {
  it.each<[text: string, left: unknown, warning: string]>([
    [
      '{"model": "script:x.yaml"}',
      {},
      '/s.json:1:2  a repository cannot choose a scripted model; it is not read here',
    ],
    [
      '{"permissions": {"mode": "bypassPermissions"}}',
      { permissions: { allow: [], ask: [], deny: [] } },
      '/s.json:1:18  a repository cannot set the mode bypassPermissions; it is not read here',
    ],
    [
      '{"env": {"PORT": "1", "PATH": "/x"}}',
      { env: { PORT: '1' } },
      '/s.json:1:23  a repository cannot set the variable PATH; it is not read here',
    ],
  ])('%s', (text, left, warning) => {
    expect(parse(text, 'project')).toEqual({ values: left, warnings: [warning] });
    expect(parse(text, 'user').warnings).toEqual([]);
  });

  it.each([
    'PATH',
    'Path',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'BASH_ENV',
    'ENV',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'GIT_SSH_COMMAND',
    'ANTHROPIC_BASE_URL',
    'CODEY_SESSION',
    'KODER_ENV_FILE',
    'HERDR_PANE_ID',
  ])('the variable %s', (name) => {
    expect(isControlVariable(name)).toBe(true);
  });

  it.each([
    'PORT',
    'MANPATH',
    'ENVIRONMENT',
    'MY_NODE_OPTIONS',
    'BASE_URL_LIST',
    'GITHUB_ACTOR',
    'BUILD_LD_FLAGS',
  ])('but the variable %s is its own business', (name) => {
    expect(isControlVariable(name)).toBe(false);
  });
});

it('before a review only rules that take away count [contract.repo.tightening-read] [contract.repo.loosening-reviewed]', () => {
  const { values } = parse(everything, 'project');
  const tightening = withoutReview(values);
  expect(Object.keys(tightening)).toEqual(['permissions']);
  expect(tightening.permissions?.deny.map(({ rule }) => rule.text)).toEqual(['run_shell']);
  expect(tightening.permissions?.ask.map(({ rule }) => rule.text)).toEqual(['web_fetch']);
  expect(tightening.permissions?.allow).toEqual([]);
  expect(tightening.permissions).not.toHaveProperty('mode');
  expect(withoutReview({ model: 'a/b' })).toEqual({});
});

it('nothing is taken from values that are within reach', () => {
  const { values } = parse(everything, 'managed');
  expect(withinReach(values, 'managed')).toEqual({ values, ignored: [] });
});
