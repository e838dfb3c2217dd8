// Saves one setting in the middle of a session: the ConfigChange hooks may refuse it, and then the file is as it was.
import {
  type DispatchContext,
  type Dispatcher,
  type PolicyPayload,
  sayReasons,
  type SettingPath,
  takeBackSetting,
  writeSetting,
} from '@codey/hooks';

export interface SaveRequest {
  readonly scope: 'user' | 'project' | 'local';
  readonly path: SettingPath;
  /** Undefined takes the setting away. */
  readonly value: unknown;
}

export interface SavePlace {
  readonly projectRoot: string;
  /** Needed for the user's settings. */
  readonly home?: string;
}

export interface SavePorts {
  readonly hooks: Dispatcher;
  readonly context: DispatchContext;
  /** Puts a hook's `ask` to the user; absent where nobody can answer, and then it is a no. */
  readonly confirm?: (reason: string) => Promise<boolean>;
}

export type Saved =
  /** The hooks passed: from now on the new value counts. */
  | { readonly kind: 'saved'; readonly file: string }
  /** The setting already had the value; nobody was asked. */
  | { readonly kind: 'unchanged'; readonly file: string }
  /** It could not be written; `message` says why. Nobody was asked. */
  | { readonly kind: 'refused'; readonly file: string; readonly message: string }
  /** A hook said no: the file has its earlier bytes and mode again. */
  | { readonly kind: 'blocked'; readonly file: string; readonly reason: string }
  /** A hook said no, and the file could not be taken back; `message` says why. */
  | {
      readonly kind: 'conflict';
      readonly file: string;
      readonly reason: string;
      readonly message: string;
    };

/**
 * Only with `saved` and `unchanged` may the caller use the value. While the hooks run nothing is locked, so that they and
 * everybody else may read and write the file. Never rejects for anything the disk or a hook does.
 */
export async function saveSetting(request: SaveRequest, place: SavePlace, ports: SavePorts): Promise<Saved> {
  if (request.scope === 'user' && place.home === undefined)
    return { kind: 'refused', file: '', message: 'HOME is not set, so there is no place for your settings' };
  const written = await writeSetting({ ...request, ...place });
  const { file } = written;
  if (written.kind !== 'written') return written;
  const source = request.scope === 'user' ? 'user_settings' : 'project_settings';
  const reason = await askHooks({ source, file_path: file }, ports);
  if (reason === undefined) return { kind: 'saved', file };
  const taken = await takeBackSetting(written);
  return taken.kind === 'restored'
    ? { kind: 'blocked', file, reason }
    : { kind: 'conflict', file, reason, message: taken.message };
}

/** Undefined when the hooks passed, else why the setting may not count. */
async function askHooks(
  saved: PolicyPayload<'ConfigChange'>,
  { hooks, context, confirm }: SavePorts,
): Promise<string | undefined> {
  const { verdict } = await hooks.dispatch('ConfigChange', saved, context);
  switch (verdict.kind) {
    case 'none':
    case 'allow':
    case 'continue':
      return undefined;
    case 'ask': {
      const reason = sayReasons(verdict.reasons);
      return (await confirm?.(reason)) === true ? undefined : reason;
    }
    case 'deny':
      return sayReasons(verdict.reasons);
    case 'cancelled':
      return 'it was interrupted before the ConfigChange hooks had passed';
  }
}

/** For the user, in one or two sentences; undefined where all went well. */
export function describeRefusal(saved: Saved): string | undefined {
  switch (saved.kind) {
    case 'saved':
    case 'unchanged':
      return undefined;
    case 'refused':
      return `The setting was not saved: ${saved.message}.`;
    case 'blocked':
      return `The setting was not saved, and ${saved.file} is as it was: ${saved.reason}`;
    case 'conflict':
      return `The setting does not count: ${saved.reason}. ${saved.message}.`;
  }
}
