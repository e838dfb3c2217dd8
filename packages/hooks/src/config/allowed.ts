// What a settings file may set, by where it lies: a repository must not give itself power over its user.
import { isFromRepository } from './scopes.ts';
import { settingsKeys } from './schema.ts';
import type { FileScope } from './scopes.ts';
import type { SettingsValues } from './settings.ts';

/** A value that was written and does not count. */
export interface Ignored {
  /** Keys from the top of the file down to it. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The values that count in a file of the scope, and those that do not. */
export function withinReach(
  values: SettingsValues,
  scope: FileScope,
): { readonly values: SettingsValues; readonly ignored: readonly Ignored[] } {
  const owned = keepOwned(values, scope);
  if (!isFromRepository(scope)) return owned;
  const harmless = keepHarmless(owned.values);
  return { values: harmless.values, ignored: [...owned.ignored, ...harmless.ignored] };
}

/** What a repository's file sets before anybody agreed to it: rules that only take away. */
export function withoutReview(values: SettingsValues): SettingsValues {
  if (values.permissions === undefined) return {};
  const { ask, deny } = values.permissions;
  return { permissions: { allow: [], ask, deny } };
}

/**
 * Whether a variable steers which program runs, which code it loads or where it sends what it is given. A repository
 * may set none of these, whatever their case, since some systems do not tell cases apart.
 */
export function isControlVariable(name: string): boolean {
  return controlNames.test(name.toUpperCase());
}

const controlNames =
  /^(?:PATH|NODE_OPTIONS|BASH_ENV|ENV|LD_.*|DYLD_.*|PYTHON.*|GIT_.*|CODEY_.*|KODER_.*|HERDR_.*|.*_BASE_URL)$/;

/** Drops whole keys that belong to somebody else. */
function keepOwned(values: SettingsValues, scope: FileScope): ReturnType<typeof withinReach> {
  const ignored: Ignored[] = [];
  const kept = Object.entries(values).filter(([key]) => {
    const owner = settingsKeys[key as keyof SettingsValues].setBy;
    if (owner === 'managed' && scope !== 'managed') {
      ignored.push({ path: [key], message: `"${key}" counts in managed settings only and is not read here` });
      return false;
    }
    if (owner === 'user' && isFromRepository(scope)) {
      ignored.push({ path: [key], message: `a repository cannot set "${key}"; it is not read here` });
      return false;
    }
    return true;
  });
  return { values: Object.fromEntries(kept), ignored };
}

/** Drops the single values that a repository cannot even ask for. */
function keepHarmless(values: SettingsValues): ReturnType<typeof withinReach> {
  const ignored: Ignored[] = [];
  const { model, permissions, env, ...rest } = values;
  const kept: { -readonly [K in keyof SettingsValues]: SettingsValues[K] } = rest;
  if (model?.startsWith('script:') === true) {
    ignored.push({
      path: ['model'],
      message: 'a repository cannot choose a scripted model; it is not read here',
    });
  } else if (model !== undefined) kept.model = model;
  if (permissions?.mode === 'bypassPermissions') {
    const { mode, ...rules } = permissions;
    ignored.push({
      path: ['permissions', 'mode'],
      message: `a repository cannot set the mode ${mode}; it is not read here`,
    });
    kept.permissions = rules;
  } else if (permissions !== undefined) kept.permissions = permissions;
  if (env !== undefined) {
    const names = Object.keys(env).filter(isControlVariable);
    for (const name of names) {
      ignored.push({
        path: ['env', name],
        message: `a repository cannot set the variable ${name}; it is not read here`,
      });
    }
    kept.env = Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
  }
  return { values: kept, ignored };
}
