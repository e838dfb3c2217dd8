// What hooks of this format call the tools, and what the tools are called here.

/** Theirs by ours. The first name stands in payloads; a matcher or a rule may use any of them. */
const tools = {
  run_shell: ['Bash'],
  shell_output: ['BashOutput', 'TaskOutput'],
  shell_kill: ['KillShell', 'KillBash', 'TaskStop'],
  read_file: ['Read'],
  edit_file: ['Edit'],
  write_file: ['Write'],
  list_directory: ['LS'],
  glob_search: ['Glob'],
  grep_search: ['Grep'],
  web_fetch: ['WebFetch'],
  todo_write: ['TodoWrite'],
  ask_user: ['AskUserQuestion'],
  spawn_agent: ['Agent', 'Task'],
  agent_result: ['TaskOutput'],
  send_message: ['SendMessage'],
  get_skill: ['Skill'],
  enter_worktree: ['EnterWorktree'],
  exit_worktree: ['ExitWorktree'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type TranslatedTool = keyof typeof tools;

/** Tools of that format without a counterpart here: what matches only them never fires. */
const absentTools = [
  'EnterPlanMode',
  'ExitPlanMode',
  'LSP',
  'Monitor',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'PowerShell',
  'SlashCommand',
  'ToolSearch',
  'WebSearch',
] as const;

export const toolTable: Readonly<Record<TranslatedTool, readonly string[]>> = tools;

/** Every tool name that a hook of this format may have been written for, MCP tools aside. */
export const knownToolNames: readonly string[] = [...Object.values(tools).flat(), ...absentTools];

export function isTranslated(tool: string): tool is TranslatedTool {
  return Object.hasOwn(tools, tool);
}

/** The name in payloads. MCP tools are called alike in both; a tool of ours alone keeps its name. */
export function toolNameFor(tool: string): string {
  return isTranslated(tool) ? tools[tool][0] : tool;
}

/** All names a matcher may know the tool by. */
export function toolNamesFor(tool: string): readonly string[] {
  return isTranslated(tool) ? tools[tool] : [tool];
}

/** Our names of what a rule calls `name`; the name itself where it is the same here or nothing. */
export function ownToolNames(name: string): readonly string[] {
  const ours = (Object.keys(tools) as TranslatedTool[]).filter((tool) => toolNamesFor(tool).includes(name));
  return ours.length > 0 ? ours : [name];
}

/** Whether a call of ours can ever go by the name. */
export function canBeCalled(name: string): boolean {
  return name.startsWith('mcp__') ? name.split('__').length > 2 : ownToolNames(name)[0] !== name;
}
