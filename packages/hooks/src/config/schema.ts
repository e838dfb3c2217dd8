// Every key a settings file may hold beside `hooks`: what it looks like, what it is for, who may set it.
import { parseRule } from '../condition/parse.ts';
import type { Area } from './findings.ts';
import { type Scope, scopes } from './hook.ts';
import type { PermissionMode, PlacedRule, SettingsValues } from './settings.ts';
import {
  anyObject,
  type Complaint,
  choice,
  flag,
  list,
  mapped,
  object,
  record,
  type Shape,
  text,
  wrongType,
} from './shape.ts';
import { httpUrl, noNul, urlPattern, variableName } from './text-checks.ts';

export interface SettingsKey<T> {
  readonly shape: Shape<T>;
  /**
   * `anyone`: a repository too, once the user agreed. `user`: files of the user's own and managed ones. `managed`:
   * managed files only.
   */
  readonly setBy: 'anyone' | 'user' | 'managed';
  readonly area: Area;
}

export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

/** A rule keeps its place, since a denial names where it was written. */
const rule: Shape<PlacedRule> = {
  schema: {
    type: 'string',
    minLength: 1,
    description: 'A tool, or a tool with a glob over its command, path or url.',
    examples: ['read_file', 'run_shell(git push*)', 'edit_file|write_file(*.lock)'],
  },
  parse(node, label, { findings, area }) {
    if (node.type !== 'string')
      return wrongType(node, label, 'a rule such as "run_shell(git push*)"', { findings, area });
    const parsed = parseRule(node.value);
    if (parsed.ok) return { rule: parsed.rule, source: findings.source(node) };
    findings.problem(area, node, `${label}: ${parsed.message}`, parsed.hint);
    return undefined;
  },
};

const permissions = mapped(
  object(
    {
      description: 'What tool calls may do without asking, after asking, or not at all.',
      unknown: 'problem',
    },
    {
      allow: list('Calls that run without asking.', rule),
      ask: list('Calls that a human must approve, in every mode.', rule),
      deny: list('Calls that never run, in every mode.', rule),
      mode: choice('What happens to calls that no rule speaks about.', permissionModes),
    },
  ),
  ({ allow = [], ask = [], deny = [], ...rest }) => ({ allow, ask, deny, ...rest }),
);

const provider = object(
  { description: 'Where a model provider is reached.', unknown: 'warning' },
  {
    baseURL: text({ description: 'Address of its API.', check: httpUrl }),
    apiKeyEnv: text({
      description: 'Name of the environment variable that holds its key.',
      check: variableName,
    }),
  },
);

/** Scopes that settings can speak about; the host's own code is not configured by files. */
const fileScopes = scopes.filter((scope): scope is Exclude<Scope, 'host'> => scope !== 'host');

/** Every key of a settings file beside `hooks`, with its shape and who may set it. */
export const settingsKeys: {
  readonly [K in keyof SettingsValues]-?: SettingsKey<NonNullable<SettingsValues[K]>>;
} = {
  model: {
    setBy: 'anyone',
    area: 'other',
    shape: text({
      description: 'The model to talk to, as provider/name.',
      schema: { examples: ['anthropic/claude-sonnet-4-5', 'openai-compatible/my-model'] },
    }),
  },
  providers: {
    setBy: 'user',
    area: 'other',
    shape: record({ description: 'Model providers by name.' }, provider),
  },
  permissions: { setBy: 'anyone', area: 'permissions', shape: permissions },
  disableAllHooks: {
    setBy: 'anyone',
    area: 'other',
    shape: flag('Turns every hook off except managed ones; in a managed file those too.'),
  },
  disabledHooks: {
    setBy: 'user',
    area: 'other',
    shape: list(
      'Ids of hooks that shall not run; `codey hooks list` shows them.',
      text({
        description: 'Event and eight hex digits.',
        schema: { pattern: hookIdPattern().source },
        check: hookIdText,
      }),
    ),
  },
  hookEnv: {
    setBy: 'user',
    area: 'other',
    shape: mapped(
      object(
        { description: 'What hooks get to see of the environment.', unknown: 'problem' },
        {
          withhold: list(
            'Variables that hooks of projects, plugins and skills do not get. Says nothing: the keys of model providers.',
            text({ description: 'Name of an environment variable.', check: variableName }),
          ),
        },
      ),
      ({ withhold = [] }) => ({ withhold }),
    ),
  },
  claudeHooks: {
    setBy: 'user',
    area: 'other',
    shape: flag('Also runs the hooks of `.claude/settings.json` files, and of plugins of that format.'),
  },
  mcpServers: {
    setBy: 'anyone',
    area: 'other',
    shape: record(
      { description: 'MCP servers by name.' },
      anyObject('How the server is started (`command`, `args`, `env`) or reached (`url`, `headers`).'),
    ),
  },
  plugins: {
    setBy: 'anyone',
    area: 'other',
    shape: anyObject(
      'Plugins by name: true turns an installed one on, false off, {"path": "…"} names a folder.',
    ),
  },
  env: {
    setBy: 'anyone',
    area: 'other',
    shape: record(
      { description: 'Variables for the session.', key: variableName },
      text({ description: 'Value of the variable.', empty: true, check: noNul }),
    ),
  },
  brief: {
    setBy: 'user',
    area: 'other',
    shape: flag('True asks the model for answers in a few words; `/brief` switches it.'),
  },
  theme: {
    setBy: 'user',
    area: 'other',
    shape: text({
      description: 'Colours of the screen: `terminal` takes those of the terminal, `plain` none.',
      schema: { examples: ['terminal', 'plain'] },
    }),
  },
  herdr: {
    setBy: 'user',
    area: 'other',
    shape: mapped(
      object(
        { description: 'Reporting of the agent’s state to herdr.', unknown: 'warning' },
        { report: flag('False keeps the state to ourselves.') },
      ),
      ({ report = true }) => ({ report }),
    ),
  },
  telemetry: {
    setBy: 'user',
    area: 'other',
    shape: object(
      {
        description:
          'Reports of sessions to an OpenTelemetry collector of your own. Nothing is sent unless an address is set.',
        unknown: 'warning',
      },
      {
        otlpEndpoint: text({
          description:
            'Address of an OTLP collector, such as http://localhost:4318. Spans go to /v1/traces below it, log records to /v1/logs: names, outcomes and durations, never content.',
          check: httpUrl,
        }),
      },
    ),
  },
  allowManagedHooksOnly: {
    setBy: 'managed',
    area: 'other',
    shape: flag('Lets no hooks run but those of managed files.'),
  },
  allowedHttpHookUrls: {
    setBy: 'managed',
    area: 'other',
    shape: list(
      'The only addresses that http hooks may post to; `*` stands for any characters.',
      text({ description: 'An address or the pattern of one.', check: urlPattern }),
    ),
  },
  hookFailure: {
    setBy: 'managed',
    area: 'other',
    shape: object(
      { description: 'Scopes whose hooks block when they are broken.', unknown: 'problem' },
      Object.fromEntries(
        fileScopes.map((scope) => [
          scope,
          choice(`How a broken hook of the ${scope} scope counts.`, ['block']),
        ]),
      ) as { readonly [S in Exclude<Scope, 'host'>]: Shape<'block'> },
    ),
  },
};

function hookIdPattern(): RegExp {
  return /^[A-Za-z_]+:[0-9a-f]{8}$/;
}

function hookIdText(id: string): Complaint | undefined {
  if (hookIdPattern().test(id)) return undefined;
  return { message: 'is not the id of a hook', hint: '`codey hooks list` shows the ids' };
}
