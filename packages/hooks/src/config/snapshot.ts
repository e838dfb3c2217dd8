// The frozen set of hooks and switches by which a tool call is judged from start to end.
import { type HookDefinition, type LifecycleHook, type Scope, scopes } from './hook.ts';
import type { ParsedHooks } from './hooks-section.ts';
import { agreedValues, byStrength, firstOf, type ResolveOptions, type Said } from './resolve.ts';
import type { LoadedSettings, SettingsFile, SettingsValues } from './settings.ts';

/** Everything that turns hooks off or makes them stricter, as data; `whySwitchedOff` reads it. */
export interface Switches {
  /** `disableAllHooks`: said by a managed file, or by any other file that counts. */
  readonly disableAll: 'none' | 'all-but-managed' | 'all';
  /** `disabledHooks` of every file that may say it. */
  readonly disabledIds: ReadonlySet<string>;
  /** `allowManagedHooksOnly`. */
  readonly managedOnly: boolean;
  /** Scopes whose hooks block when they are broken, whatever the hook says. */
  readonly hookFailure: Readonly<Partial<Record<Scope, 'block'>>>;
  /** Variables that hooks of projects, plugins and skills do not get. */
  readonly withhold: readonly string[];
  /** The only addresses http hooks may post to; absent where every address is allowed. */
  readonly allowedHttpUrls?: readonly string[];
  /** `-no-hooks`. */
  readonly noHooks: boolean;
  /** The one file whose hooks run in spite of `-no-hooks`: owned by root and writable by nobody else. */
  readonly lockedFile?: string;
  /** `--no-project-hooks`. */
  readonly noProjectHooks: boolean;
  /** `--bare`. */
  readonly bare: boolean;
  /** Kinds of handlers that a rehearsal does not start; a host sets it, no file can. */
  readonly notRehearsed?: readonly HookDefinition['handler']['type'][];
}

/** All hooks in the order in which they run. Switched-off ones stay in, so that they can be listed with the reason. */
export interface HookSnapshot {
  readonly policy: readonly HookDefinition[];
  readonly lifecycle: readonly LifecycleHook[];
  readonly switches: Switches;
}

/** What the command line says about hooks. */
export interface HookFlags {
  readonly noHooks?: boolean;
  readonly noProjectHooks?: boolean;
  readonly bare?: boolean;
}

export interface SnapshotOptions {
  /** Whether the user agreed to the switches this file of the repository sets. */
  readonly agreed: ResolveOptions['agreed'];
  readonly flags?: HookFlags;
  /** Hooks of enabled plugins by name, then of active skills by activation. */
  readonly contributed?: readonly ParsedHooks[];
  /** Names of the variables that hold the keys of model providers: withheld where no file says what is. */
  readonly providerKeys?: readonly string[];
}

/**
 * Freezes the hooks and switches of all files. Pure; of a repository's switches only those the user agreed to
 * count.
 */
export function takeSnapshot(loaded: LoadedSettings, options: SnapshotOptions): HookSnapshot {
  const { contributed = [] } = options;
  return Object.freeze({
    policy: freezeAll(
      inScopeOrder([
        ...loaded.files.flatMap(({ hooks }) => hooks),
        ...contributed.flatMap(({ policy }) => policy),
      ]),
    ),
    lifecycle: freezeAll([
      ...loaded.files.flatMap(({ lifecycle }) => lifecycle),
      ...contributed.flatMap(({ lifecycle }) => lifecycle),
    ]),
    switches: Object.freeze(readSwitches(loaded, options)),
  });
}

/** Another agent's files hold hooks of the same scopes as ours; within one scope ours come first. */
function inScopeOrder(hooks: readonly HookDefinition[]): readonly HookDefinition[] {
  return hooks.toSorted(
    (one, other) => scopes.indexOf(one.source.scope) - scopes.indexOf(other.source.scope),
  );
}

function readSwitches(
  loaded: LoadedSettings,
  { agreed, flags = {}, providerKeys = [] }: SnapshotOptions,
): Switches {
  const said = byStrength(agreedValues(loaded, agreed));
  const managed = said.filter(({ scope }) => scope === 'managed');
  const allowedHttpUrls = firstOf(managed, ({ allowedHttpHookUrls }) => allowedHttpHookUrls);
  const lockedFile = loaded.files.find(({ locked }) => locked)?.file;
  return {
    disableAll: disableAll(said, managed),
    disabledIds: new Set(said.flatMap(({ values }) => values.disabledHooks ?? [])),
    managedOnly: managed.some(({ values }) => values.allowManagedHooksOnly === true),
    hookFailure: Object.fromEntries(
      managed.flatMap(({ values }) => Object.entries(values.hookFailure ?? {})),
    ),
    withhold: firstOf(said, ({ hookEnv }) => hookEnv)?.withhold ?? [
      ...providerKeys,
      ...ownProviderKeys(loaded.files),
    ],
    ...(allowedHttpUrls === undefined ? {} : { allowedHttpUrls }),
    noHooks: flags.noHooks ?? false,
    ...(lockedFile === undefined ? {} : { lockedFile }),
    noProjectHooks: flags.noProjectHooks ?? false,
    bare: flags.bare ?? false,
  };
}

/** One `true` is enough, whatever others say: a switch that somebody can switch back protects nobody. */
function disableAll(said: readonly Said[], managed: readonly Said[]): Switches['disableAll'] {
  const isOff = ({ values }: { readonly values: SettingsValues }): boolean => values.disableAllHooks === true;
  if (managed.some(isOff)) return 'all';
  return said.some(isOff) ? 'all-but-managed' : 'none';
}

function ownProviderKeys(files: readonly SettingsFile[]): readonly string[] {
  return files.flatMap(({ values }) => {
    return Object.values(values.providers ?? {}).flatMap(({ apiKeyEnv }) =>
      apiKeyEnv === undefined ? [] : [apiKeyEnv],
    );
  });
}

/** Matchers are left alone: they belong to their engine and hold no setting. */
function freezeAll<T extends HookDefinition | LifecycleHook>(hooks: readonly T[]): readonly T[] {
  for (const hook of hooks) {
    if ('handler' in hook) Object.freeze(hook.handler);
    Object.freeze(hook.source);
    Object.freeze(hook);
  }
  return Object.freeze(hooks);
}
