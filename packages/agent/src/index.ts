// The public surface of @codey/agent, by name.
export { settleMs, startSession } from './agent.ts';
export type { LeaveSignals, Leaving, LiveSession, Started, StartOptions } from './live-session.ts';
export type { CompactResult } from './compaction/compact.ts';
export type { ApprovalAnswer, ApprovalRequest, Human } from './gate/human.ts';
export { approvalsFile } from './gate/permissions/approvals-file.ts';
export { protectedPaths } from './gate/permissions/protected-paths.ts';
export { type ApprovalStore, rememberApprovals } from './gate/permissions/remembered.ts';
export { createGit, type Git, type GitResult } from './git/git.ts';
export type { PermissionState } from './gate/permissions/state.ts';
export type { RunOutcome, StopReason } from './loop/outcome.ts';
export type { SessionEvent } from './loop/scope.ts';
export type { OfferedPrompt, OfferedResource } from './mcp/catalogue.ts';
export { checkField, checkForm, type FormProblem, type FormValues } from './mcp/check-form.ts';
export { type ConfiguredOptions, configuredServers } from './mcp/configured.ts';
export {
  type McpServerDefinition,
  type ParsedDefinition,
  parseDefinition,
} from './mcp/definition.ts';
export type { AddressRequest, FormAnswer, FormAsker, FormPort, FormRequest } from './mcp/form-port.ts';
export type { Choice, FieldKind, Form, FormField } from './mcp/form-schema.ts';
export { lookAtServers, type SeenServer } from './mcp/look-at-servers.ts';
export type { ListedServer, McpText } from './mcp/mcp.ts';
export { usageOf } from './mcp/server-prompt.ts';
export { type Message, type Model, ModelError } from './model/model.ts';
export {
  createModel,
  describeProvider,
  modelAddress,
  type ModelSettings,
  preload,
  providerNames,
} from './model/providers.ts';
export { type EnabledPlugins, loadEnabledPlugins } from './plugins/enabled.ts';
export { type Installed, installPlugin } from './plugins/install.ts';
export { loadPlugin } from './plugins/load-plugin.ts';
export type { LoadedPlugin, Plugin } from './plugins/plugin.ts';
export type { PromptCommand } from './plugins/prompt-command.ts';
export { type InstalledPlugin, openPluginStore, type PluginStore } from './plugins/store.ts';
export { repairSessions } from './session/repair.ts';
export { resumeSession } from './session/resume.ts';
export type { Session } from './session/session.ts';
export type { SessionState } from './session/state.ts';
export { openSessionStore, type SessionStore } from './session/store.ts';
export type { SessionSummary } from './session/summary.ts';
export { type SettingsChange, settingsChanges } from './settings/changes.ts';
export {
  createSettingsReload,
  type ReloadOffer,
  type SettingsReload,
  stampSettings,
} from './settings/reload.ts';
export { describeRefusal, type Saved, type SaveRequest } from './settings/save.ts';
export { type FoundSkills, loadSkills, personalSkills, skillFile, skillSizeLimit } from './skills/load.ts';
export { parseSkill } from './skills/parse.ts';
export type { Skill, SkillProblem } from './skills/skill.ts';
export { knownTools } from './subagents/known-tools.ts';
export type { AgentDefinition } from './subagents/definition.ts';
export { type ForkCommand, parseFork } from './subagents/fork-command.ts';
export { type LoadedDefinitions, loadDefinitions } from './subagents/load-definitions.ts';
export type { AgentState, AgentStatus, Returned } from './subagents/roster.ts';
export type { SessionAgents } from './subagents/session-agents.ts';
export type { Spawned } from './subagents/subagents.ts';
export type { Directory, SessionSurroundings, SurroundingsOptions } from './surroundings.ts';
export type { Answer } from './teams/answer.ts';
export type { Mail } from './teams/mailbox.ts';
export type { NewTask } from './teams/change-task.ts';
export type { MemberStatus } from './teams/session-teams.ts';
export type { Task, TaskStatus } from './teams/task.ts';
export type { MainTeams } from './teams/teams-of-main.ts';
export type { Question } from './tools/ask-user.ts';
export { builtInTools } from './tools/built-in.ts';
export { subjectOfCall } from './tools/subject.ts';
export { validateInput } from './tools/validate.ts';
export type { UserLine, UserLineEnd } from './tools/user-line.ts';
export type { TurnBoundary } from './watch/between-turns.ts';
