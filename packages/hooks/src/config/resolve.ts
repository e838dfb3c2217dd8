// What all settings files and flags come to: one value for each key, rules united.
import type { Scope } from './hook.ts';
import { withoutReview } from './allowed.ts';
import { isFromRepository } from './scopes.ts';
import type { LoadedSettings, PermissionMode, PlacedRule, SettingsFile, SettingsValues } from './settings.ts';

/** What was said on the command line. */
export interface SettingsFlags {
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  /** `--allowed-tools`, parsed; each rule names the flag as its source. */
  readonly allow?: readonly PlacedRule[];
}

export interface ResolveOptions {
  /** Whether the user agreed to what this file of the repository sets. Asked for project and local files only. */
  readonly agreed: (file: SettingsFile) => boolean;
  readonly flags?: SettingsFlags;
}

/** What all settings files and flags come to, by the rules of `resolveSettings`. */
export interface Settings {
  readonly model?: string;
  readonly providers: NonNullable<SettingsValues['providers']>;
  readonly permissions: {
    readonly allow: readonly PlacedRule[];
    readonly ask: readonly PlacedRule[];
    readonly deny: readonly PlacedRule[];
    readonly mode: PermissionMode;
  };
  readonly claudeHooks: boolean;
  readonly mcpServers: NonNullable<SettingsValues['mcpServers']>;
  readonly plugins: NonNullable<SettingsValues['plugins']>;
  readonly env: NonNullable<SettingsValues['env']>;
  readonly brief: boolean;
  readonly theme?: string;
  readonly herdr: { readonly report: boolean };
  readonly telemetry: { readonly otlpEndpoint?: string };
}

/**
 * Pure. Of a single value a managed file beats the flag, the flag the `--settings` file, then local, project and user;
 * of two files of one scope the `.codey` one. Providers, servers, plugins and variables are single values by name.
 * Permission lists are united in scope order. A repository's file the user has not agreed to gives `deny` and `ask`
 * rules and nothing else.
 */
export function resolveSettings(loaded: LoadedSettings, options: ResolveOptions): Settings {
  const said = agreedValues(loaded, options.agreed);
  const { flags = {} } = options;
  const strongest = byStrength(said);
  const model = firstOf(strongest, ({ model }) => model, flags.model);
  const theme = firstOf(strongest, ({ theme }) => theme);
  return {
    ...(model === undefined ? {} : { model }),
    providers: byName(strongest, 'providers'),
    permissions: {
      allow: [...(flags.allow ?? []), ...rules(said, 'allow')],
      ask: rules(said, 'ask'),
      deny: rules(said, 'deny'),
      mode: firstOf(strongest, ({ permissions }) => permissions?.mode, flags.permissionMode) ?? 'default',
    },
    claudeHooks: firstOf(strongest, ({ claudeHooks }) => claudeHooks) ?? false,
    mcpServers: byName(strongest, 'mcpServers'),
    plugins: byName(strongest, 'plugins'),
    env: byName(strongest, 'env'),
    brief: firstOf(strongest, ({ brief }) => brief) ?? false,
    ...(theme === undefined ? {} : { theme }),
    herdr: firstOf(strongest, ({ herdr }) => herdr) ?? { report: true },
    telemetry: firstOf(strongest, ({ telemetry }) => telemetry) ?? {},
  };
}

/** What a file is listened to about, in scope order. */
export interface Said {
  readonly scope: Scope;
  readonly values: SettingsValues;
}

/** The values of every file, those of a repository only as far as the user agreed. */
export function agreedValues(loaded: LoadedSettings, agreed: ResolveOptions['agreed']): readonly Said[] {
  return loaded.files.map((file) => {
    const { scope, values } = file;
    return { scope, values: isFromRepository(scope) && !agreed(file) ? withoutReview(values) : values };
  });
}

const strengths: readonly Scope[] = ['managed', 'settings', 'local', 'project', 'user'];

/** Strongest first; files of one scope stay in their order. */
export function byStrength(said: readonly Said[]): readonly Said[] {
  return strengths.flatMap((scope) => said.filter((one) => one.scope === scope));
}

/** The first that says something; the flag stands behind managed files and before all others. */
export function firstOf<T>(
  strongest: readonly Said[],
  read: (values: SettingsValues) => T | undefined,
  flag?: T,
): T | undefined {
  const managed = strongest.find(({ scope, values }) => scope === 'managed' && read(values) !== undefined);
  if (managed !== undefined) return read(managed.values);
  if (flag !== undefined) return flag;
  const other = strongest.find(({ values }) => read(values) !== undefined);
  return other === undefined ? undefined : read(other.values);
}

/** Each name is a value of its own: a project may add a server beside the user's. */
function byName<K extends 'providers' | 'mcpServers' | 'plugins' | 'env'>(
  strongest: readonly Said[],
  key: K,
): NonNullable<SettingsValues[K]> {
  const entries = [...strongest].reverse().flatMap(({ values }) => Object.entries(values[key] ?? {}));
  return Object.fromEntries(entries) as NonNullable<SettingsValues[K]>;
}

function rules(said: readonly Said[], list: 'allow' | 'ask' | 'deny'): readonly PlacedRule[] {
  return said.flatMap(({ values }) => values.permissions?.[list] ?? []);
}
