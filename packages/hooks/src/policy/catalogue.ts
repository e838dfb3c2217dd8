// Every policy event. Types, schemas, docs, matchers and samples derive from this list.
import type { PolicyEventDefinition } from './define-event.ts';
import { ConfigChange } from './events/config-change.ts';
import { CwdChanged } from './events/cwd-changed.ts';
import { Elicitation } from './events/elicitation.ts';
import { ElicitationResult } from './events/elicitation-result.ts';
import { FileChanged } from './events/file-changed.ts';
import { InstructionsLoaded } from './events/instructions-loaded.ts';
import { Notification } from './events/notification.ts';
import { PermissionDenied } from './events/permission-denied.ts';
import { PermissionRequest } from './events/permission-request.ts';
import { PostCompact } from './events/post-compact.ts';
import { PostToolUse } from './events/post-tool-use.ts';
import { PostToolUseFailure } from './events/post-tool-use-failure.ts';
import { PreCompact } from './events/pre-compact.ts';
import { PreToolUse } from './events/pre-tool-use.ts';
import { SessionEnd } from './events/session-end.ts';
import { SessionStart } from './events/session-start.ts';
import { Setup } from './events/setup.ts';
import { Stop } from './events/stop.ts';
import { StopFailure } from './events/stop-failure.ts';
import { SubagentStart } from './events/subagent-start.ts';
import { SubagentStop } from './events/subagent-stop.ts';
import { TaskCompleted } from './events/task-completed.ts';
import { TaskCreated } from './events/task-created.ts';
import { TeammateIdle } from './events/teammate-idle.ts';
import { UserPromptSubmit } from './events/user-prompt-submit.ts';
import { WorktreeCreate } from './events/worktree-create.ts';
import { WorktreeRemove } from './events/worktree-remove.ts';

/** In the order in which the reference lists them. */
export const policyCatalogue = underTheirNames({
  PreToolUse,
  PostToolUse,
  PostToolUseFailure,
  PermissionRequest,
  PermissionDenied,
  Notification,
  SessionStart,
  SessionEnd,
  UserPromptSubmit,
  Stop,
  StopFailure,
  Setup,
  PreCompact,
  PostCompact,
  InstructionsLoaded,
  CwdChanged,
  FileChanged,
  ConfigChange,
  SubagentStart,
  SubagentStop,
  TaskCreated,
  TaskCompleted,
  TeammateIdle,
  WorktreeCreate,
  WorktreeRemove,
  Elicitation,
  ElicitationResult,
});

/** The name of an event that is asked: `PreToolUse`, `Stop` and so on. */
export type PolicyEventName = keyof typeof policyCatalogue;

/** All names, in the order of the catalogue. */
export const policyEventNames = Object.keys(policyCatalogue) as readonly PolicyEventName[];

/**
 * The fields of one event's payload beside the common ones: what a caller of `dispatch` hands in. An entry's example has
 * the type of its schema, so this is the schema's type and the example counts as a payload.
 */
export type PolicyPayload<Event extends PolicyEventName> = (typeof policyCatalogue)[Event]['example'];

/** Case counts: `pretooluse` is no event. */
export function isPolicyEventName(text: string): text is PolicyEventName {
  return Object.hasOwn(policyCatalogue, text);
}

/** What the matchers of an event are tested on; null where it has no match value and every hook matches. */
export function matchValueOf<Event extends PolicyEventName>(
  event: Event,
  payload: PolicyPayload<Event>,
): string | null {
  const definition: PolicyEventDefinition = policyCatalogue[event];
  return definition.matchOn?.value(payload) ?? null;
}

/** Makes an entry under another key than its own name a compile error. */
function underTheirNames<
  Catalogue extends { readonly [Name in keyof Catalogue]: PolicyEventDefinition<Name & string> },
>(catalogue: Catalogue): Catalogue {
  return catalogue;
}
