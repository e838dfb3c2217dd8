// What is allowed in a settings file and almost certainly not meant: warnings, each with what to do.
import type { HookDefinition, LifecycleHook, Problem, SettingsFile, Source } from '@codey/hooks';
import { hiddenCopies } from './hidden-copies.ts';
import { neverMatching } from './never-matching.ts';
import { deadPrograms } from './dead-programs.ts';
import { longTimeouts } from './long-timeouts.ts';
import { splitPaths } from './split-paths.ts';

export interface SuspicionFacts {
  /** Where hooks would run. Real path. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One finding about one hook. */
export interface Suspicion {
  readonly source: Source;
  readonly message: string;
  readonly hint: string;
}

export type AnyHook = HookDefinition | LifecycleHook;

/** In the order of the files and their lines. Reads the disk, starts nothing. */
export function suspicions(files: readonly SettingsFile[], facts: SuspicionFacts): readonly Problem[] {
  const policy = files.flatMap((file) => file.hooks);
  const all: readonly AnyHook[] = [...policy, ...files.flatMap((file) => file.lifecycle)];
  const servers = files.flatMap(({ values }) => Object.keys(values.mcpServers ?? {}));
  const found = [
    ...policy.flatMap((hook) => neverMatching(hook, servers)),
    ...policy.flatMap(longTimeouts),
    ...hiddenCopies(all),
    ...all.flatMap((hook) => deadPrograms(hook, facts)),
    ...all.flatMap((hook) => splitPaths(hook, facts)),
  ];
  const order = new Map(files.map(({ file }, index) => [file, index]));
  return found
    .sort(
      ({ source: one }, { source: other }) =>
        (order.get(one.file) ?? 0) - (order.get(other.file) ?? 0) || one.line - other.line,
    )
    .map(({ source, message, hint }) => ({
      file: source.file,
      line: source.line,
      column: source.column,
      scope: source.scope,
      message,
      hint,
      area: 'hooks',
    }));
}
