// One hook of a repository as it stands on disk at this moment: what a person could agree to.
import { isGuarded } from '../policy/guarded.ts';
import { type CommandReading, readCommand } from './command-reading.ts';
import { type Coverage, type CoveragePlace, coverPaths } from './coverage.ts';
import { definitionDigest } from './fingerprint.ts';
import type { Inspection } from './inspection.ts';
import { type NamedPaths, namedPaths } from './named-paths.ts';
import { hookAgreement } from './agreement.ts';
import type { Agreement } from './store.ts';
import type { AnyHook } from './trust.ts';

export interface Offer {
  readonly hook: AnyHook;
  readonly definition: string;
  /** Absent for hooks that start no process. */
  readonly reading?: CommandReading;
  readonly coverage: Coverage;
  /** Why it runs more than the coverage reaches, in short phrases. */
  readonly unseen: readonly string[];
  readonly agreement: Agreement;
}

/** What a hook finds where it runs. */
export interface Surroundings {
  readonly root: string;
  /** The value of PATH. */
  readonly path: string;
  /** Names of the variables that hold the workspace. */
  readonly projectVariables: readonly string[];
  /** Names of those that hold the root of a hook's plugin or skill. */
  readonly contributorVariables: readonly string[];
}

/** Never rejects. */
export async function makeOffer(
  hook: AnyHook,
  surroundings: Surroundings,
  inspection: Inspection,
): Promise<Offer> {
  const { root } = surroundings;
  const text = commandOf(hook);
  const reading =
    text === undefined
      ? undefined
      : await readCommand(text, Object.keys(directoryVariables(hook, root, surroundings)));
  const { coverage, cut } = await coverHook(hook, reading, root, surroundings, inspection);
  const definition = definitionDigest(hook);
  const agreement = hookAgreement(hook, definition, coverage.marks, root);
  const unseen = [...(reading?.unseen ?? []), ...(cut ? ['it names more paths than are looked at'] : [])];
  return { hook, definition, ...(reading !== undefined && { reading }), coverage, unseen, agreement };
}

/** The files a hook's command means when it runs in `workspace`. */
export async function coverHook(
  hook: AnyHook,
  reading: CommandReading | undefined,
  workspace: string,
  surroundings: Surroundings,
  inspection: Inspection,
): Promise<{ readonly coverage: Coverage; readonly cut: boolean }> {
  const { root, path } = surroundings;
  const variables = directoryVariables(hook, workspace, surroundings);
  // A formatter names the files it formats: were they part of what was agreed to, it would take back its own agreement.
  const reach = isGuarded(hook.event) ? 'everything' : 'code';
  const { paths, cut } =
    reading === undefined ? nothingNamed : namedPaths(reading, { cwd: workspace, path, variables }, reach);
  const contributor = hook.source.root;
  const place: CoveragePlace = { root, workspace, ...(contributor !== undefined && { contributor }) };
  return { coverage: await coverPaths(paths, place, inspection), cut };
}

const nothingNamed: NamedPaths = { paths: [], cut: false };

/** The variables a hook gets whose value is a directory known beforehand. */
export function directoryVariables(
  hook: AnyHook,
  workspace: string,
  { projectVariables, contributorVariables }: Pick<Surroundings, 'projectVariables' | 'contributorVariables'>,
): Readonly<Record<string, string>> {
  const { root } = hook.source;
  return {
    ...Object.fromEntries(projectVariables.map((name) => [name, workspace])),
    ...(root !== undefined && Object.fromEntries(contributorVariables.map((name) => [name, root]))),
  };
}

/** Undefined for a hook that starts no process. */
export function commandOf(
  hook: AnyHook,
): { readonly command: string; readonly args?: readonly string[]; readonly shell?: string } | undefined {
  if (!('handler' in hook)) return { command: hook.command };
  return hook.handler.type === 'command' || hook.handler.type === 'worker' ? hook.handler : undefined;
}
