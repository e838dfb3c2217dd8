// The public surface of @codey/agent, by name.
export { type Leaving, type LiveSession, type Started, startSession, type StartOptions } from './agent.ts';
export type { ApprovalAnswer, ApprovalRequest, Human } from './gate/human.ts';
export { approvalsFile } from './gate/permissions/approvals-file.ts';
export { protectedPaths } from './gate/permissions/protected-paths.ts';
export { type ApprovalStore, rememberApprovals } from './gate/permissions/remembered.ts';
export type { PermissionState } from './gate/permissions/state.ts';
export type { RunOutcome, StopReason } from './loop/outcome.ts';
export type { SessionEvent } from './loop/scope.ts';
export { type Message, type Model, ModelError } from './model/model.ts';
export { createModel, preload, providerNames } from './model/providers.ts';
export { repairSessions } from './session/repair.ts';
export { resumeSession } from './session/resume.ts';
export type { Session } from './session/session.ts';
export type { SessionState } from './session/state.ts';
export { openSessionStore, type SessionStore } from './session/store.ts';
export type { SessionSummary } from './session/summary.ts';
export type { Question } from './tools/ask-user.ts';
export type { UserLine, UserLineEnd } from './tools/user-line.ts';
