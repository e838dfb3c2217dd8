// What each event of ours is to hooks of this format: matcher, block, deadline, and where it differs.
import { basename } from 'node:path';
import type { PolicyEventName } from '../../policy/catalogue.ts';
import type { Fields } from '../reading.ts';
import { toolNamesFor } from './names.ts';

export interface ClaudeEvent {
  /** Absent where that format tests no matcher. */
  readonly match?: Match;
  /**
   * What exit 2 and `"decision": "block"` come to: a no, back to work, or nothing where that format has nothing to
   * block.
   */
  readonly block: 'deny' | 'continue' | 'nothing';
  /** Whether `"continue": false` counts. */
  readonly halts: boolean;
  /** Seconds a hook that runs a program or posts has when it does not say. */
  readonly timeout: number;
  /** How it differs from that format, in whole sentences; null where a hook cannot tell. */
  readonly difference: string | null;
}

export interface Match {
  /** What a matcher is tested on, for people. */
  readonly what: string;
  /** Their words for a match value of ours: a matcher fits if it fits one. None where nobody can tell. */
  readonly names: (value: string) => readonly string[];
  /** The match value, of an event that has none here. */
  readonly value?: (payload: Fields) => string;
  /** Their values that do not occur here. */
  readonly never?: readonly string[];
  /** Words of a matcher are file names to be watched. */
  readonly fileNames?: true;
}

const toolName: Match = { what: 'tool name', names: toolNamesFor };
const same = (what: string): Match => ({ what, names: (value) => [value] });

const perCall = { match: toolName, halts: true, timeout: 600 } as const;
const told = { block: 'nothing', halts: false, timeout: 600 } as const;
const asked = { block: 'deny', halts: false, timeout: 600 } as const;
const workers = { block: 'continue', halts: true, timeout: 600 } as const;

export const claudeEvents: Readonly<Record<PolicyEventName, ClaudeEvent>> = {
  PreToolUse: {
    ...perCall,
    block: 'deny',
    difference:
      'Changed inputs settle in config order, not by who finishes last, and a hook that has not seen the final input is asked about it. `defer` counts as `ask`.',
  },
  PostToolUse: {
    ...perCall,
    block: 'deny',
    difference:
      'Hooks run in config order, so that two formatters never write one file at once. `tool_response` has the fields that the result really gives, without a patch.',
  },
  PostToolUseFailure: { ...perCall, block: 'deny', difference: null },
  PermissionRequest: {
    ...perCall,
    block: 'nothing',
    difference:
      '`updatedPermissions` is not applied: hooks do not write rules. A call that a rule or another hook wants a person to see cannot be allowed, only denied.',
  },
  PermissionDenied: {
    ...perCall,
    block: 'nothing',
    difference: 'Fires for every denial, by a rule or a person too. `retry` tells the model in words.',
  },
  Notification: {
    ...told,
    match: {
      what: 'notification type',
      names: (value) => [notificationTypes[value] ?? value],
      never: [
        'idle_prompt',
        'auth_success',
        'agent_completed',
        'elicitation_complete',
        'elicitation_response',
      ],
    },
    difference:
      'Fires for an approval (`permission_prompt`), a question (`agent_needs_input`) and a form (`elicitation_dialog`), at once and not after a wait.',
  },
  SessionStart: {
    ...told,
    match: { ...same('source'), never: ['fork'] },
    halts: true,
    difference:
      'Listed once more under PostCompact, where it fires as `compact`. `initialUserMessage`, `sessionTitle` and `reloadSkills` have no effect.',
  },
  SessionEnd: {
    ...told,
    match: {
      what: 'reason',
      names: (value) => [endReasons[value] ?? 'other'],
      value: (payload) => String(payload.reason),
      never: ['logout'],
    },
    timeout: 60,
    difference: 'Shares one budget for leaving with all other hooks, whatever its own timeout says.',
  },
  UserPromptSubmit: {
    ...asked,
    halts: true,
    timeout: 30,
    difference: 'Only for what a person or the command line submits. `sessionTitle` has no effect.',
  },
  Stop: {
    ...workers,
    difference: 'The eighth block ends the run, whatever the agent did in between.',
  },
  StopFailure: {
    ...told,
    match: { what: 'kind of error', names: () => [] },
    difference: 'The kind of error is not told apart: `error` is `unknown` and every matcher fits.',
  },
  Setup: {
    ...told,
    match: { ...same('trigger'), value: () => 'init', never: ['maintenance'] },
    difference: 'Fires at startup while onboarding steps are missing, as `init`.',
  },
  PreCompact: {
    ...asked,
    match: same('trigger'),
    difference: '`custom_instructions` is always empty.',
  },
  PostCompact: {
    ...told,
    match: same('trigger'),
    difference: '`compact_summary` is empty: the summary is in the transcript.',
  },
  InstructionsLoaded: {
    ...told,
    match: {
      ...same('load reason'),
      value: (payload) => String(payload.reason),
      never: ['nested_traversal', 'path_glob_match', 'include', 'compact'],
    },
    difference: 'For each `AGENTS.md`, at the start of a session only.',
  },
  CwdChanged: { ...told, difference: null },
  FileChanged: {
    ...told,
    match: { ...same('file name'), fileNames: true },
    difference: 'Files are looked at between turns, and `event` is always `change`.',
  },
  ConfigChange: {
    ...asked,
    match: {
      what: 'source',
      // Local settings count as the project's here.
      names: (value) => (value === 'project_settings' ? [value, 'local_settings'] : [value]),
      never: ['policy_settings', 'skills'],
    },
    difference: 'Fires when the program itself saves a setting.',
  },
  SubagentStart: { ...told, match: same('agent type'), difference: null },
  SubagentStop: {
    ...workers,
    match: same('agent type'),
    difference: 'The eighth block ends the agent. There are no internal helpers without a type.',
  },
  TaskCreated: { ...asked, difference: null },
  TaskCompleted: { ...asked, difference: null },
  TeammateIdle: { ...workers, difference: 'The teammate is kept at work at most eight times.' },
  WorktreeCreate: {
    ...asked,
    difference:
      'The path a hook prints replaces the usual place. A hook that prints nothing leaves the worktree to the program.',
  },
  WorktreeRemove: { ...asked, difference: 'A hook that fails does not keep the worktree; exit 2 does.' },
  Elicitation: {
    ...asked,
    match: { ...same('server name'), value: (payload) => String(payload.server_name) },
    difference: '`url` and `elicitation_id` are not given.',
  },
  ElicitationResult: {
    ...asked,
    match: { ...same('server name'), value: (payload) => String(payload.server_name) },
    difference:
      'The values that were filled in are not told and cannot be replaced; `decline` and `cancel` count as a decline.',
  },
};

const notificationTypes: Readonly<Record<string, string>> = {
  question: 'agent_needs_input',
  elicitation: 'elicitation_dialog',
};

const endReasons: Readonly<Record<string, string>> = {
  exit: 'prompt_input_exit',
  clear: 'clear',
  resume: 'resume',
};

/** Their word for a match value that has exactly one. */
export function theirWord(event: PolicyEventName, value: string): string {
  return claudeEvents[event].match?.names(value)[0] ?? value;
}

/** Whose settings a file holds, in their words. */
export function settingsSource(source: string, file: string): string {
  return basename(file) === 'settings.local.json' ? 'local_settings' : source;
}
