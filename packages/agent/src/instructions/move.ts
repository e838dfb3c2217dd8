// Moves a session to another directory: the agent, the log, the instructions that apply there, the CwdChanged hooks.
import type { Attributed, Decision, DispatchContext, Dispatcher } from '@codey/hooks';
import type { MovablePlace } from '../loop/place.ts';
import { type Announced, announceInstructions } from './announce.ts';
import { findDirectory } from './change-directory.ts';
import { findInstructions, type InstructionsFile } from './load.ts';

export interface MoveOptions {
  readonly place: MovablePlace;
  readonly extraDirs: readonly string[];
  readonly hooks: Dispatcher;
  /** As of the moment it is called. */
  readonly context: () => DispatchContext;
  /** Files that are in force already. */
  readonly known: readonly InstructionsFile[];
  /** `--bare`: no instructions are loaded. */
  readonly bare: boolean;
  /** Notes the new directory in the log. */
  readonly moved: (cwd: string) => void;
}

export type Moved =
  | {
      readonly kind: 'moved';
      readonly from: string;
      readonly cwd: string;
      readonly contexts: readonly Attributed[];
      readonly watchPaths: Decision['watchPaths'];
      /** Instructions that apply now beside those that did. */
      readonly instructions: Announced;
      readonly problems: readonly string[];
    }
  | { readonly kind: 'refused'; readonly message: string };

/** Going where one already is changes nothing and asks nobody, but is no mistake. */
export async function moveTo(target: string, options: MoveOptions): Promise<Moved> {
  const { place, extraDirs, hooks, context, known, bare, moved } = options;
  const { workspace, cwd: from } = place;
  const found = await findDirectory(target, from, [workspace, ...extraDirs]);
  if (found.kind === 'refused') return found;
  const cwd = found.path;
  const nothing: Announced = { files: [], contexts: [], watchPaths: [], leftOut: [] };
  if (cwd === from)
    return { kind: 'moved', from, cwd, contexts: [], watchPaths: [], instructions: nothing, problems: [] };
  place.moveTo({ workspace, cwd });
  moved(cwd);
  const here = bare ? { files: [], problems: [] } : await findInstructions(workspace, cwd);
  const added = here.files.filter(({ file }) => !known.some((one) => one.file === file));
  const instructions = await announceInstructions(added, 'cwd_changed', hooks, context());
  const told = await tellMoved(from, cwd, hooks, context());
  return { kind: 'moved', from, cwd, ...told, instructions, problems: here.problems };
}

/** Also for a session that was resumed and goes on in the directory it had recorded. */
export async function tellMoved(
  from: string,
  cwd: string,
  hooks: Dispatcher,
  context: DispatchContext,
): Promise<Pick<Decision, 'contexts' | 'watchPaths'>> {
  const { contexts, watchPaths } = await hooks.dispatch('CwdChanged', { old_cwd: from, cwd }, context);
  return { contexts, watchPaths };
}
