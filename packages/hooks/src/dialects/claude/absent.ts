// What hooks written for Claude Code may name and this program does not have, with the reason: `hooks list` says it of
// events, a warning of types of hook, the documentation of everything.

export interface Absent {
  readonly name: string;
  /** Completes “never fires:”. */
  readonly reason: string;
}

/** Events without a moment here. */
export const absentEvents: readonly Absent[] = [
  {
    name: 'UserPromptExpansion',
    reason: 'slash commands are expanded before UserPromptSubmit, which sees what comes of them',
  },
  { name: 'MessageDisplay', reason: 'hooks do not take part in drawing the screen' },
  { name: 'PostToolBatch', reason: 'calls are judged one by one; use PostToolUse' },
  { name: 'DirectoryAdded', reason: 'directories are added when the program starts, never during a session' },
  { name: 'PreModelSwitch', reason: 'there is no event about the model; SessionStart has its name' },
  { name: 'PostModelSwitch', reason: 'there is no event about the model; SessionStart has its name' },
];

/** Types of hook without a runner here. */
export const absentTypes: readonly Absent[] = [
  { name: 'mcp_tool', reason: 'hooks cannot call tools of MCP servers; use a command or http hook' },
];

/** Fields of a hook, of its answer, and variables that are read and come to nothing. */
export const withoutEffect: readonly Absent[] = [
  { name: 'asyncRewake', reason: 'the hook runs in the background, and nobody is woken by its exit code' },
  { name: 'once', reason: 'outside of skills that format passes over it, and so it is here' },
  { name: 'continueOnBlock', reason: 'a prompt hook that says no never ends the turn by itself' },
  { name: 'terminalSequence', reason: 'hooks have no terminal' },
  { name: 'updatedPermissions', reason: 'a hook answers one call and does not write rules' },
  { name: 'classifierContext', reason: 'no classifier judges calls' },
  { name: 'CLAUDE_PLUGIN_DATA', reason: 'plugins have no folder for data of their own' },
];
