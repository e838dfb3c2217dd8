import { describe, expect, it } from 'vitest';
import { policyCatalogue, policyEventNames, type PolicyEventName } from '../../policy/catalogue.ts';
import { samplePayload } from '../../policy/sample.ts';
import { claude } from './claude.ts';
import { decodeInput, encodeInput } from './tool-input.ts';

const common = {
  session_id: '01JD9ZC5T6',
  transcript_path: '/home/you/.codey/sessions/01JD9ZC5T6/log.jsonl',
  cwd: '/home/you/shop',
  permission_mode: 'default',
};

const own: Readonly<Record<PolicyEventName, object>> = {
  PreToolUse: { tool_name: 'Bash', tool_input: { command: 'git push origin main' }, tool_use_id: 'call_7' },
  PostToolUse: {
    tool_name: 'Write',
    tool_input: { file_path: '/home/you/shop/src/tax.ts', content: 'export const rate = 0.2;\n' },
    tool_response: {
      success: true,
      filePath: '/home/you/shop/src/tax.ts',
      content: 'export const rate = 0.2;\n',
      structuredPatch: [],
    },
    tool_use_id: 'call_8',
  },
  PostToolUseFailure: {
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: 'call_9',
    error: '1 test failed: adds tax to the total (exit code 1)',
    is_interrupt: false,
  },
  PermissionRequest: { tool_name: 'Bash', tool_input: { command: 'npm install left-pad' } },
  PermissionDenied: {
    tool_name: 'Bash',
    tool_input: { command: 'npm publish' },
    tool_use_id: 'call_11',
    reason: 'denied by rule run_shell(npm publish*), settings.json:8',
  },
  Notification: {
    message: 'Codey needs your permission: bash: rm -rf build',
    notification_type: 'permission_prompt',
  },
  SessionStart: { source: 'startup', model: 'anthropic/claude-sonnet-4-5' },
  SessionEnd: { reason: 'prompt_input_exit' },
  UserPromptSubmit: { prompt: 'Add tax to the cart total' },
  Stop: {
    stop_hook_active: false,
    last_assistant_message: 'The cart total now includes tax.',
    background_tasks: [],
    session_crons: [],
  },
  StopFailure: {
    error: 'unknown',
    last_assistant_message: 'The provider is overloaded (529); it was asked 4 times.',
  },
  Setup: { trigger: 'init' },
  PreCompact: { trigger: 'auto', custom_instructions: '' },
  PostCompact: { trigger: 'manual', compact_summary: '' },
  InstructionsLoaded: {
    file_path: '/home/you/shop/AGENTS.md',
    memory_type: 'Project',
    load_reason: 'session_start',
  },
  CwdChanged: {
    cwd: '/home/you/shop/packages/cart',
    old_cwd: '/home/you/shop',
    new_cwd: '/home/you/shop/packages/cart',
  },
  FileChanged: { file_path: '/home/you/shop/docs/spec.md', event: 'change' },
  ConfigChange: { source: 'project_settings', file_path: '/home/you/shop/.codey/settings.json' },
  SubagentStart: { agent_id: 'reviewer-2', agent_type: 'reviewer' },
  SubagentStop: {
    agent_id: 'reviewer-2',
    agent_type: 'reviewer',
    stop_hook_active: false,
    agent_transcript_path: '/home/you/.codey/sessions/01JD9ZC5T6/agent-reviewer-2.jsonl',
    last_assistant_message: 'Two findings, both in src/cart.ts.',
    background_tasks: [],
    session_crons: [],
  },
  TaskCreated: {
    task_id: '4',
    task_subject: 'Cover the tax rules with tests',
    task_description: 'One test for each rate in src/tax.ts.',
    team_name: 'checkout',
  },
  TaskCompleted: {
    task_id: '4',
    task_subject: 'Cover the tax rules with tests',
    task_description: 'One test for each rate in src/tax.ts.',
    teammate_name: 'tester',
    team_name: 'checkout',
  },
  TeammateIdle: { agent_id: 'tester', agent_type: 'main', teammate_name: 'tester', team_name: 'checkout' },
  WorktreeCreate: { name: 'reviewer-2' },
  WorktreeRemove: { worktree_path: '/home/you/shop/.codey/worktrees/reviewer-2' },
  Elicitation: {
    mcp_server_name: 'tickets',
    message: 'Open a ticket for this change?',
    mode: 'form',
    requested_schema: {
      type: 'object',
      properties: { confirm: { type: 'boolean' } },
      required: ['confirm'],
    },
  },
  ElicitationResult: { mcp_server_name: 'tickets', action: 'accept' },
};

it.each(policyEventNames)('%s is written as hooks of that format read it', (event) => {
  expect(claude.encode(event, samplePayload(event))).toEqual({
    ...common,
    hook_event_name: event,
    ...own[event],
  });
});

it('keeps the order of keys that scripts without a JSON parser rely on', () => {
  expect(JSON.stringify(claude.encode('PreToolUse', samplePayload('PreToolUse')))).toMatch(
    /^\{"session_id":"[^"]+","transcript_path":"[^"]+","cwd":"[^"]+","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":\{/,
  );
});

it('says which agent asks only inside a subagent', () => {
  const payload = { ...samplePayload('PreToolUse'), agent_id: 'reviewer-2', agent_type: 'reviewer' };
  expect(claude.encode('PreToolUse', payload)).toMatchObject({
    agent_id: 'reviewer-2',
    agent_type: 'reviewer',
  });
  expect(claude.encode('PreToolUse', samplePayload('PreToolUse'))).not.toHaveProperty('agent_id');
});

it('tells nothing after a call that failed, which PostToolUseFailure already told', () => {
  expect(claude.encode('PostToolUse', { ...samplePayload('PostToolUse'), failed: true })).toBeUndefined();
});

it('names the local settings file, which counts as the project’s here', () => {
  const payload = {
    ...samplePayload('ConfigChange'),
    file_path: '/home/you/shop/.codey/settings.local.json',
  };
  expect(claude.encode('ConfigChange', payload)).toMatchObject({ source: 'local_settings' });
});

describe('the input of a call', () => {
  const cwd = '/home/you/shop';
  const todo = { content: 'Test it', status: 'pending' };
  it.each<[string, object, string, object]>([
    [
      'run_shell',
      { command: 'npm test', cwd: 'packages/cart', timeout: 90, background: true },
      'Bash',
      { command: 'npm test', cwd: 'packages/cart', timeout: 90_000, run_in_background: true },
    ],
    [
      'edit_file',
      { path: 'a.ts', old_string: 'x', new_string: 'y', replace_all: true },
      'Edit',
      { file_path: '/home/you/shop/a.ts', old_string: 'x', new_string: 'y', replace_all: true },
    ],
    ['write_file', { path: '../b', content: '' }, 'Write', { file_path: '/home/you/b', content: '' }],
    [
      'read_file',
      { path: '/etc/hosts', offset: 5, limit: 2 },
      'Read',
      { file_path: '/etc/hosts', offset: 5, limit: 2 },
    ],
    ['list_directory', { path: 'src' }, 'LS', { path: '/home/you/shop/src' }],
    [
      'glob_search',
      { pattern: '**/*.ts', path: 'src' },
      'Glob',
      { pattern: '**/*.ts', path: '/home/you/shop/src' },
    ],
    [
      'grep_search',
      { pattern: 'tax', glob: '*.ts', ignore_case: true, context: 2 },
      'Grep',
      { output_mode: 'content', pattern: 'tax', glob: '*.ts', '-i': true, '-C': 2 },
    ],
    ['web_fetch', { url: 'https://example.com/' }, 'WebFetch', { url: 'https://example.com/' }],
    ['todo_write', { todos: [todo] }, 'TodoWrite', { todos: [{ ...todo, activeForm: 'Test it' }] }],
    [
      'ask_user',
      { questions: [{ header: 'Storage', question: 'Where?', options: [] }] },
      'AskUserQuestion',
      { questions: [{ header: 'Storage', question: 'Where?', options: [], multiSelect: false }] },
    ],
    ['shell_kill', { id: 'shell-1' }, 'KillShell', { shell_id: 'shell-1' }],
    [
      'spawn_agent',
      { prompt: 'Review it', agent: 'reviewer' },
      'Agent',
      { prompt: 'Review it', subagent_type: 'reviewer' },
    ],
    ['agent_result', { name: 'reviewer', timeout: 9 }, 'TaskOutput', { task_id: 'reviewer', timeout: 9000 }],
    ['get_skill', { name: 'herdr' }, 'Skill', { skill: 'herdr' }],
    ['mcp__tickets__open', { path: 'a' }, 'mcp__tickets__open', { path: 'a' }],
    ['deploy', { path: 'a' }, 'deploy', { path: 'a' }],
  ])('of %s %j is %s %j, and comes back as it was', (tool, input, name, theirs) => {
    const payload = { ...samplePayload('PreToolUse'), tool_name: tool, tool_input: input };
    expect(claude.encode('PreToolUse', payload as never)).toMatchObject({
      tool_name: name,
      tool_input: theirs,
    });
    const given = encodeInput(tool, input as never, cwd);
    expect(decodeInput(tool, given, { input: input as never, cwd })).toEqual(input);
  });

  it.each<[string, object, object, object]>([
    [
      'run_shell',
      { command: 'rm x', cwd: 'lib' },
      { command: 'trash x', description: 'gently' },
      { command: 'trash x', cwd: 'lib' },
    ],
    ['run_shell', { command: 'x' }, { command: 'x', timeout: 1500 }, { command: 'x', timeout: 2 }],
    ['run_shell', { command: 'x', background: true }, { command: 'x' }, { command: 'x' }],
    [
      'write_file',
      { path: 'a.ts', content: 'x' },
      { file_path: '/home/you/shop/b.ts', content: 'x' },
      { path: '/home/you/shop/b.ts', content: 'x' },
    ],
    ['todo_write', { todos: [] }, { todos: [{ ...todo, activeForm: 'Testing it' }] }, { todos: [todo] }],
    ['mcp__tickets__open', { path: 'a' }, { file_path: 'b' }, { file_path: 'b' }],
  ])(
    'of %s %j, answered with %j, becomes %j [contract.output.updated-input]',
    (tool, input, given, result) => {
      expect(decodeInput(tool, given as never, { input: input as never, cwd })).toEqual(result);
    },
  );
});

describe('the response of a tool', () => {
  it.each<[string, object, string, unknown]>([
    [
      'run_shell',
      { command: 'ls' },
      'a\nb',
      { stdout: 'a\nb', stderr: '', interrupted: false, isImage: false },
    ],
    [
      'edit_file',
      { path: 'a', old_string: 'x', new_string: 'y' },
      'Changed a at line 1.',
      {
        success: true,
        filePath: '/home/you/shop/a',
        oldString: 'x',
        newString: 'y',
        replaceAll: false,
        userModified: false,
        structuredPatch: [],
      },
    ],
    [
      'read_file',
      { path: 'a', offset: 3 },
      'x\ny',
      { type: 'text', file: { filePath: '/home/you/shop/a', content: 'x\ny', numLines: 2, startLine: 3 } },
    ],
    [
      'glob_search',
      { pattern: '*' },
      'a\nb\n[2 files match]',
      { filenames: ['a', 'b'], numFiles: 2, truncated: false },
    ],
    ['mcp__tickets__open', {}, 'done', [{ type: 'text', text: 'done' }]],
    ['list_directory', { path: 'src' }, 'a', { content: 'a' }],
    ['deploy', {}, 'done', { content: 'done' }],
  ])('%s %j %j', (tool, input, result, response) => {
    const payload = { ...samplePayload('PostToolUse'), tool_name: tool, tool_input: input, result };
    expect(claude.encode('PostToolUse', payload as never)).toMatchObject({ tool_response: response });
  });
});

it.each<[PolicyEventName, string | null]>([
  ['SessionEnd', 'exit'],
  ['Setup', 'init'],
  ['InstructionsLoaded', 'session_start'],
  ['Elicitation', 'tickets'],
  ['Stop', null],
])('%s has the match value %j of its own', (event, value) => {
  expect(claude.matchValue(event, policyCatalogue[event].example)).toBe(value);
});
