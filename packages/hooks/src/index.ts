// The public surface of @codey/hooks, by name.
export {
  type CallSubject,
  type CallView,
  type CommandSubject,
  describeCall,
  type GuessedSubject,
  type PathSubject,
  type PlainSubject,
  type UrlSubject,
} from './condition/call.ts';
export { compileGlob, escapeGlob, unknownPart } from './condition/glob.ts';
export { allowCoverage, type Coverage, coverageOf, matchRule, writesFile } from './condition/match.ts';
export { compileMatcher, type Matcher } from './condition/matcher.ts';
export { parseRule, type Rule } from './condition/parse.ts';
export { createLinkResolver, isInside, resolveLinks } from './condition/path.ts';
export { namesOfUrl } from './condition/url.ts';
export { parseCommandLine, type ParsedLine, type SimpleCommand } from './condition/shell.ts';
export { writeSetting, type WriteResult } from './config/edit.ts';
export { editSetting, type SettingPath } from './config/edit-text.ts';
export type { Handler, HookDefinition, HookFunction, LifecycleHook, Scope, Source } from './config/hook.ts';
export type { ParsedHooks } from './config/hooks-section.ts';
export { isObject } from './config/is-object.ts';
export { settingsJsonSchema } from './config/json-schema.ts';
export { loadSettings } from './config/load.ts';
export { readSetting } from './config/read-setting.ts';
export { type Replacement, replaceFile } from './config/replace-file.ts';
export { parseContributedHooks, parseSettings } from './config/parse.ts';
export { formatProblem, type Problem } from './config/problem.ts';
export { findProjectRoot } from './config/project-root.ts';
export { type LocationOptions, settingsDirectories, settingsLocations } from './config/scopes.ts';
export { resolveSettings, type Settings } from './config/resolve.ts';
export { settingsKeys } from './config/schema.ts';
export type {
  LoadedSettings,
  PermissionMode,
  PlacedRule,
  SettingsFile,
  SettingsValues,
} from './config/settings.ts';
export { type HookFlags, type HookSnapshot, type Switches, takeSnapshot } from './config/snapshot.ts';
export { checkStart, type StartRefusal } from './config/startup.ts';
export { takeBackSetting, type TakenBack } from './config/take-back.ts';
export { suggest } from './config/suggest.ts';
export { type Switch, switchThatTurnedOff, whySwitchedOff } from './config/switched-off.ts';
export { ownNamesOfTool } from './dialects/index.ts';
export { detectHerdr, type HerdrPane, paneMarker } from './herdr/detect.ts';
export {
  type ClaudeHooks,
  type ClaudeLoadOptions,
  claudeNeverFires,
  claudeToNative,
  type ClaudePlugin,
  claudePluginManifest,
  type ClaudeTranscript,
  type ClaudeTranscriptOptions,
  createClaudeTranscript,
  loadClaudeHooks,
  loadClaudePlugin,
  type NativeHook,
  type NeverFires,
  type TranscriptEntry,
  type WatchedFiles,
} from './dialects/index.ts';
export { guessSubject } from './embed/guess-subject.ts';
export { openHooks, type OpenedHooks, type OpenHooksOptions, SettingsRefused } from './embed/open-hooks.ts';
export {
  createToolGate,
  type GatedResult,
  type ToolCall,
  type ToolGate,
  type ToolGateOptions,
  type ToolInput,
} from './embed/tool-gate.ts';
export type { Journal, JournaledHook, JournalEntry, JournalLine } from './journal/entry.ts';
export {
  diskFiles,
  endsTorn,
  type Files,
  failureReason,
  openForAppend,
  openForRead,
  promptDiskFiles,
} from './journal/files.ts';
export { ensureIgnored } from './journal/ignore.ts';
export { openJournal, type OpenedJournal } from './journal/journal.ts';
export { type LedgerFile, openLedger, readLedger } from './journal/ledger.ts';
export { createLineQueue } from './journal/line-queue.ts';
export { readLines } from './journal/line-reader.ts';
export { acquireLock, inspectLock, type Lock } from './journal/lock.ts';
export { createOutputStore, type OutputStore } from './journal/output-store.ts';
export { describeProcess, type Owner } from './journal/owner.ts';
export { projectFolder, projectId } from './journal/project-folder.ts';
export { type JournalSource, readJournal } from './journal/read.ts';
export { matchesShape, type Shape } from './journal/shape.ts';
export { type Swept, sweepGroups } from './journal/sweep.ts';
export { unfinishedEvents } from './journal/unfinished.ts';
export { waitForLock } from './journal/wait-for-lock.ts';
export { appendWholeLines } from './journal/whole-lines.ts';
export { accountKinds, accountOfCall, type CallAccount, type WhichCall } from './journal/why.ts';
export { createLifecycleBus, type LifecycleBus } from './lifecycle/bus.ts';
export {
  type LifecycleEvent,
  type LifecycleEventName,
  lifecycleCatalogue,
  lifecycleEventNames,
} from './lifecycle/catalogue.ts';
export { createCommandListener } from './lifecycle/command-listener.ts';
export {
  type PolicyEventName,
  type PolicyPayload,
  policyCatalogue,
  policyEventNames,
} from './policy/catalogue.ts';
export {
  type Answer,
  type Attributed,
  type Decision,
  type MergedVerdict,
  sayReasons,
  type Verdict,
} from './policy/decision.ts';
export { checkPayload, type CheckedPayload } from './policy/check-payload.ts';
export type { DispatchContext } from './policy/dispatch.ts';
export {
  createHookEngine,
  type Dispatcher,
  type HookEngine,
  type HookEngineOptions,
} from './policy/engine.ts';
export { whyOf } from './policy/journaled-hook.ts';
export { hookLabel, sourceLabel, whatRuns } from './policy/label.ts';
export { createOnce, type OncePort } from './policy/once.ts';
export {
  type FailureCause,
  type Outcome,
  type OutcomeKind,
  outcomeKinds,
  type SkipReason,
} from './policy/outcome.ts';
export type { EnginePorts, EnvFilePort, HookNotice, HookObserver } from './policy/ports.ts';
export { quietContext } from './policy/quiet-context.ts';
export type { HookReport } from './policy/report.ts';
export { samplePayload } from './policy/sample.ts';
export type { EndingWorld } from './runners/ending.ts';
export type { GroupRecord, Ledger } from './runners/ledger.ts';
export { type AgentHookRequest, createAgentRunner, type RunAgent } from './runners/agent.ts';
export { createCommandRunner } from './runners/command.ts';
export { createHttpRunner } from './runners/http.ts';
export { createWorkerRunner } from './runners/worker.ts';
export { findProgram } from './runners/find-program.ts';
export { missingProgram } from './runners/missing.ts';
export { readSimpleCommand } from './runners/simple-command.ts';
export { speaksSh } from './runners/shell.ts';
export { createProc, type Proc, type StartedWith } from './runners/proc.ts';
export { type Ancestry, ancestry } from './runners/depth.ts';
export { defaultWithheld, sessionMarkers } from './runners/environment.ts';
export { createPipeSupply, type PipeSupply } from './runners/output-pipes.ts';
export type { PipeSupplyOptions } from './runners/pipe-sources.ts';
export {
  createForkServer,
  type Forked,
  type ForkRequest,
  type ForkServer,
  type ForkServerOptions,
} from './runners/fork-server.ts';
export {
  createProcessHost,
  type ProcessHost,
  type ProcessRequest,
  type ProcessResult,
} from './runners/process.ts';
export { type AskModel, createPromptRunner } from './runners/prompt.ts';
export type { Runner, RunEnd, RunRequest, RunResult } from './runners/runner.ts';
export type { ModelHookReply, ModelHookRequest, ModelHookUsage } from './runners/verdict-run.ts';
export { createEnvFiles, type EnvFiles } from './policy/env-file.ts';
export { createTrustCheck, type TrustCheck } from './trust/check.ts';
export { refuseInsideSession } from './trust/inside-session.ts';
export { renderReview } from './trust/render-review.ts';
export { heldBackNotice, isOpen, type Review } from './trust/review.ts';
export { createTrustStore, type TrustStore } from './trust/store.ts';
export { type TrustPort, type TrustState, trustEverything, trustOwnHooksOnly } from './trust/trust.ts';
export { monotonicMs } from './monotonic.ts';
export { type OpenFile, openFile } from './open-file.ts';
export { promptFiles } from './prompt-files.ts';
export { randomBytes, randomId } from './random.ts';
