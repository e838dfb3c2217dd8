// What only some events understand in an answer: the catalogue's lists once more, so that types can be made of them.
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { OutputField } from '../policy/define-event.ts';

/**
 * A hook must start fast, so nothing of the catalogue, with its schemas, is loaded in it. A test compares this table with
 * the catalogue.
 */
export const answerFields = {
  PreToolUse: ['permissionDecision', 'updatedInput', 'additionalContext'],
  PostToolUse: ['additionalContext', 'updatedToolOutput'],
  PostToolUseFailure: ['additionalContext'],
  PermissionRequest: ['permissionDecision', 'updatedInput'],
  PermissionDenied: ['additionalContext'],
  Notification: [],
  SessionStart: ['additionalContext', 'watchPaths'],
  SessionEnd: [],
  UserPromptSubmit: ['additionalContext'],
  Stop: ['continue', 'additionalContext'],
  StopFailure: [],
  Setup: [],
  PreCompact: [],
  PostCompact: ['additionalContext'],
  InstructionsLoaded: ['additionalContext', 'watchPaths'],
  CwdChanged: ['additionalContext', 'watchPaths'],
  FileChanged: ['additionalContext', 'watchPaths'],
  ConfigChange: [],
  SubagentStart: ['additionalContext'],
  SubagentStop: ['continue', 'additionalContext'],
  TaskCreated: [],
  TaskCompleted: [],
  TeammateIdle: ['continue'],
  WorktreeCreate: ['worktreePath'],
  WorktreeRemove: [],
  Elicitation: ['action'],
  ElicitationResult: [],
} as const satisfies Record<PolicyEventName, readonly OutputField[]>;

export type FieldsOf<Event extends PolicyEventName> = (typeof answerFields)[Event][number];
