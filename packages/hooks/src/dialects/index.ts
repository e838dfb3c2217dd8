// The one place that knows which dialects there are.
import type { HookDefinition } from '../config/hook.ts';
import { claude, claudeAfterCompaction } from './claude/index.ts';
import { ownToolNames } from './claude/names.ts';
import type { Dialect } from './dialect.ts';
import { native } from './native/index.ts';

export const dialects: Readonly<Record<HookDefinition['dialect'], Dialect>> = {
  native,
  claude,
  claudeAfterCompaction,
};

// A host loads and feeds this dialect by itself; it gets its parts here, since nothing else may look into the folder.
export {
  type ClaudeHooks,
  type ClaudeLoadOptions,
  type ClaudePlugin,
  claudePluginManifest,
  loadClaudeHooks,
  loadClaudePlugin,
} from './claude/load.ts';
export type { NeverFires, WatchedFiles } from './claude/section.ts';
export {
  type ClaudeTranscript,
  type ClaudeTranscriptOptions,
  createClaudeTranscript,
} from './claude/transcript.ts';
export type { TranscriptEntry } from './claude/transcript-line.ts';
export { claudeToNative, type NativeHook } from './claude/to-native.ts';
export { absentEvents as claudeNeverFires } from './claude/absent.ts';

/** What the tools are called here that another agent calls `name`; empty for a name that no other agent uses. */
export function ownNamesOfTool(name: string): readonly string[] {
  const own = ownToolNames(name);
  return own[0] === name ? [] : own;
}
