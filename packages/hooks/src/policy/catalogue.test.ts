import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  isPolicyEventName,
  matchValueOf,
  policyCatalogue,
  type PolicyEventName,
  policyEventNames,
} from './catalogue.ts';
import { families, type PolicyEventDefinition } from './define-event.ts';

interface Expected {
  /** Match value of the entry's example. */
  readonly match: string | null;
  /** Payload fields beside the common ones. */
  readonly fields: readonly string[];
  readonly output: readonly string[];
  readonly blocks: boolean;
}

const call = ['tool_name', 'tool_input', 'tool_call_id'];
const task = ['task_id', 'subject', 'description', 'status', 'owner', 'team'];
const stopCount = ['stop_hook_active', 'stop_hook_count'];

// Literals on purpose: what hooks of users rely on changes only when somebody changes it here too.
const expected: Readonly<Record<string, Expected>> = {
  PreToolUse: {
    match: 'run_shell',
    fields: [...call, 'input_revision'],
    output: ['permissionDecision', 'updatedInput', 'additionalContext'],
    blocks: true,
  },
  PostToolUse: {
    match: 'write_file',
    fields: [...call, 'result', 'failed'],
    output: ['additionalContext', 'updatedToolOutput'],
    blocks: true,
  },
  PostToolUseFailure: {
    match: 'run_shell',
    fields: [...call, 'error'],
    output: ['additionalContext'],
    blocks: true,
  },
  PermissionRequest: {
    match: 'run_shell',
    fields: [...call, 'reason'],
    output: ['permissionDecision', 'updatedInput'],
    blocks: true,
  },
  PermissionDenied: {
    match: 'run_shell',
    fields: [...call, 'reason'],
    output: ['additionalContext'],
    blocks: false,
  },
  Notification: {
    match: 'permission_prompt',
    fields: ['notification_type', 'tool_name', 'reason'],
    output: [],
    blocks: false,
  },
  SessionStart: {
    match: 'startup',
    fields: ['source'],
    output: ['additionalContext', 'watchPaths'],
    blocks: true,
  },
  SessionEnd: { match: null, fields: ['reason'], output: [], blocks: false },
  UserPromptSubmit: { match: null, fields: ['prompt'], output: ['additionalContext'], blocks: true },
  Stop: {
    match: null,
    fields: ['agent_type', 'last_assistant_message', ...stopCount],
    output: ['continue', 'additionalContext'],
    blocks: true,
  },
  StopFailure: { match: null, fields: ['last_assistant_message'], output: [], blocks: false },
  Setup: { match: null, fields: ['missing_steps'], output: [], blocks: false },
  PreCompact: {
    match: 'auto',
    fields: ['trigger', 'tokens_before', 'messages_before'],
    output: [],
    blocks: true,
  },
  PostCompact: {
    match: 'manual',
    fields: ['trigger', 'tokens_before', 'messages_before', 'tokens_after', 'messages_after'],
    output: ['additionalContext'],
    blocks: false,
  },
  InstructionsLoaded: {
    match: null,
    fields: ['reason', 'file_path'],
    output: ['additionalContext', 'watchPaths'],
    blocks: true,
  },
  CwdChanged: {
    match: null,
    fields: ['old_cwd', 'cwd'],
    output: ['additionalContext', 'watchPaths'],
    blocks: false,
  },
  FileChanged: {
    match: 'spec.md',
    fields: ['file_path'],
    output: ['additionalContext', 'watchPaths'],
    blocks: false,
  },
  ConfigChange: { match: 'project_settings', fields: ['source', 'file_path'], output: [], blocks: true },
  SubagentStart: {
    match: 'reviewer',
    fields: ['agent_id', 'agent_type'],
    output: ['additionalContext'],
    blocks: true,
  },
  SubagentStop: {
    match: 'reviewer',
    fields: ['agent_id', 'agent_type', 'output', ...stopCount],
    output: ['continue', 'additionalContext'],
    blocks: true,
  },
  TaskCreated: { match: '4', fields: task, output: [], blocks: true },
  TaskCompleted: { match: '4', fields: task, output: [], blocks: true },
  TeammateIdle: {
    match: 'tester',
    fields: ['team_name', 'agent_id', 'agent_name'],
    output: ['continue'],
    blocks: true,
  },
  WorktreeCreate: {
    match: null,
    fields: ['branch', 'worktree_path'],
    output: ['worktreePath'],
    blocks: true,
  },
  WorktreeRemove: { match: null, fields: ['worktree_path'], output: [], blocks: true },
  Elicitation: {
    match: null,
    fields: ['server_name', 'message', 'mode', 'requestedSchema'],
    output: ['action'],
    blocks: true,
  },
  ElicitationResult: {
    match: null,
    fields: ['server_name', 'action', 'source', 'field_names'],
    output: [],
    blocks: true,
  },
};

it('has the events of the reference, in its order, each under its own name', () => {
  expect(policyEventNames).toEqual(Object.keys(expected));
  expect(Object.values(policyCatalogue).map((definition) => definition.name)).toEqual(Object.keys(expected));
});

it.each(policyEventNames)(
  '%s has the match value, payload, output fields and block that hooks rely on',
  (name) => {
    const definition: PolicyEventDefinition = policyCatalogue[name];
    expect({
      match: matchValueOf(name, policyCatalogue[name].example),
      fields: Object.keys(definition.payload),
      output: definition.output,
      blocks: definition.block !== null,
    }).toEqual(expected[name]);
  },
);

describe('match values', () => {
  it.each([
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'PermissionDenied',
  ] as const)('of %s is the tool name [koder.matcher.tool-name]', (name) => {
    const payload = { ...policyCatalogue[name].example, tool_name: 'mcp__tickets__open' };
    expect(matchValueOf(name, payload)).toBe('mcp__tickets__open');
  });

  it.each(['permission_prompt', 'question', 'elicitation'] as const)(
    'of Notification is its type, %s [koder.event.notification-match]',
    (notification_type) => {
      const payload = { ...policyCatalogue.Notification.example, notification_type };
      expect(matchValueOf('Notification', payload)).toBe(notification_type);
    },
  );

  it.each(['startup', 'resume', 'clear'] as const)(
    'of SessionStart is its source, %s [contract.match.sessionstart-source]',
    (source) => {
      expect(matchValueOf('SessionStart', { source })).toBe(source);
    },
  );

  it.each(['manual', 'auto'] as const)(
    'of PreCompact and PostCompact is the trigger, %s [koder.matcher.compaction-trigger]',
    (trigger) => {
      const { PreCompact, PostCompact } = policyCatalogue;
      expect(matchValueOf('PreCompact', { ...PreCompact.example, trigger })).toBe(trigger);
      expect(matchValueOf('PostCompact', { ...PostCompact.example, trigger })).toBe(trigger);
    },
  );

  it('of FileChanged is the name of the file without its directory [koder.matcher.file-name]', () => {
    expect(matchValueOf('FileChanged', { file_path: '/srv/a b/.env.local' })).toBe('.env.local');
  });

  it.each(['user_settings', 'project_settings'] as const)(
    'of ConfigChange is whose file it is, %s [koder.event.configchange-match]',
    (source) => {
      expect(matchValueOf('ConfigChange', { source, file_path: '/p/settings.json' })).toBe(source);
    },
  );

  it('of SubagentStart and SubagentStop is the agent type, not its name [koder.matcher.agent-type]', () => {
    const agent = { agent_id: 'reviewer-2', agent_type: 'reviewer' };
    expect(matchValueOf('SubagentStart', agent)).toBe('reviewer');
    expect(matchValueOf('SubagentStop', { ...policyCatalogue.SubagentStop.example, ...agent })).toBe(
      'reviewer',
    );
  });

  it.each(['TaskCreated', 'TaskCompleted'] as const)(
    'of %s is the task id [koder.event.task-match]',
    (name) => {
      expect(matchValueOf(name, { ...policyCatalogue[name].example, task_id: '17' })).toBe('17');
    },
  );

  it('of TeammateIdle is the name of the teammate in its team [koder.event.teammateidle-match]', () => {
    const payload = { team_name: 'checkout', agent_id: 'tester-2', agent_name: 'tester' };
    expect(matchValueOf('TeammateIdle', payload)).toBe('tester');
  });
});

it.each(policyEventNames)('the example of %s has every field and fits its own schema', (name) => {
  const definition: PolicyEventDefinition = policyCatalogue[name];
  expect(v.safeParse(v.strictObject(definition.payload), definition.example).issues).toBeUndefined();
  expect(Object.keys(definition.example)).toEqual(Object.keys(definition.payload));
});

it.each(policyEventNames)('%s describes itself, every field included, in whole sentences', (name) => {
  const definition: PolicyEventDefinition = policyCatalogue[name];
  const fields = Object.values(definition.payload).map((schema) => v.getDescription(innermost(schema)));
  for (const text of [definition.summary, definition.block ?? '.', ...fields]) expect(text).toMatch(/\.$/);
  expect(families).toContain(definition.family);
});

describe('exactly the named events', () => {
  it.each<[keyof PolicyEventDefinition, unknown, readonly PolicyEventName[]]>([
    [
      'aboutToolCall',
      true,
      ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'],
    ],
    ['rewrites', true, ['PreToolUse']],
    ['groups', 'in-order', ['PostToolUse', 'PostToolUseFailure', 'FileChanged', 'WorktreeCreate']],
    ['textIsContext', true, ['SessionStart', 'UserPromptSubmit']],
    ['envFile', true, ['SessionStart', 'Setup', 'CwdChanged', 'FileChanged']],
  ])('have %s %s', (key, value, names) => {
    expect(policyEventNames.filter((name) => policyCatalogue[name][key] === value)).toEqual(names);
  });
});

it.each(['pretooluse', 'run_start', 'constructor', ''])('knows no event %j', (text) => {
  expect(isPolicyEventName(text)).toBe(false);
});

/** The description of a field that may be missing stands on the schema inside. */
function innermost(schema: v.ObjectEntries[string]): v.GenericSchema {
  return 'wrapped' in schema && schema.type === 'exact_optional' ? schema.wrapped : schema;
}
