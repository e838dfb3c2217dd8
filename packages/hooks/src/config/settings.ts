// One settings file after reading, and what all of them come to.
import type { Place } from './document.ts';
import type { HookDefinition, LifecycleHook, Scope, Source } from './hook.ts';
import type { Problem } from './problem.ts';
import type { FileScope } from './scopes.ts';
import type { Rule } from '../condition/parse.ts';

/** What happens to calls that no rule speaks about. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';

/** A permission rule with the place it was written. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly source: Source;
}

/** The keys beside `hooks`, as read. Absent means not said. */
export interface SettingsValues {
  readonly model?: string;
  readonly providers?: Readonly<Record<string, { readonly baseURL?: string; readonly apiKeyEnv?: string }>>;
  readonly permissions?: {
    readonly allow: readonly PlacedRule[];
    readonly ask: readonly PlacedRule[];
    readonly deny: readonly PlacedRule[];
    readonly mode?: PermissionMode;
  };
  readonly disableAllHooks?: boolean;
  readonly disabledHooks?: readonly string[];
  readonly hookEnv?: { readonly withhold: readonly string[] };
  readonly claudeHooks?: boolean;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly plugins?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly brief?: boolean;
  readonly theme?: string;
  readonly herdr?: { readonly report: boolean };
  readonly telemetry?: { readonly otlpEndpoint?: string };
  readonly allowManagedHooksOnly?: boolean;
  readonly allowedHttpHookUrls?: readonly string[];
  readonly hookFailure?: Readonly<Partial<Record<Scope, 'block'>>>;
}

/** One settings file as read, with everything that is wrong with it; bad entries are left out. */
export interface SettingsFile {
  readonly scope: FileScope;
  /** Absolute path as found. */
  readonly file: string;
  /** The machine-wide managed file, owned by root and writable by nobody else: what `-no-hooks` does not reach. */
  readonly locked: boolean;
  /** Only what a file of this scope may set; the rest is named in the warnings. */
  readonly values: SettingsValues;
  /** Where each key stands, two levels deep, under the name that `placeName` gives it. */
  readonly places: ReadonlyMap<string, Place>;
  readonly hooks: readonly HookDefinition[];
  readonly lifecycle: readonly LifecycleHook[];
  readonly problems: readonly Problem[];
  /** Non-fatal findings: a matcher on an event without a match value, a key a repository may not set. */
  readonly warnings: readonly Problem[];
}

/** Every settings file that was found, in scope order; a file reachable as two scopes stands in the more trusted one. */
export interface LoadedSettings {
  readonly projectRoot: string;
  readonly files: readonly SettingsFile[];
}
