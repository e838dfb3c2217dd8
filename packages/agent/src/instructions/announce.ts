// Asks the InstructionsLoaded hooks about each file; a blocked file's content never reaches the model.
import {
  type Attributed,
  type Decision,
  type DispatchContext,
  type Dispatcher,
  sayReasons,
} from '@codey/hooks';
import type { InstructionsFile } from './load.ts';

export interface Announced {
  readonly files: readonly InstructionsFile[];
  readonly contexts: readonly Attributed[];
  readonly watchPaths: Decision['watchPaths'];
  /** Files that were left out, with the reason; for the user. */
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[];
}

/** Why files are read that apply by their place; what they import is read for the reason `import`. */
export type LoadReason = 'session_start' | 'cwd_changed';

/** What a file imports goes with it. */
export async function announceInstructions(
  files: readonly InstructionsFile[],
  reason: LoadReason,
  hooks: Dispatcher,
  context: DispatchContext,
): Promise<Announced> {
  const kept: InstructionsFile[] = [];
  const contexts: Attributed[] = [];
  const watchPaths: Decision['watchPaths'][number][] = [];
  const leftOut: { file: string; reason: string }[] = [];
  for (const file of files) {
    const { importedBy } = file;
    if (importedBy !== undefined && leftOut.some((left) => left.file === importedBy)) {
      leftOut.push({ file: file.file, reason: `${importedBy} was left out, which imports it` });
      continue;
    }
    const asked = await hooks.dispatch(
      'InstructionsLoaded',
      { reason: importedBy === undefined ? reason : 'import', file_path: file.file },
      context,
    );
    contexts.push(...asked.contexts);
    watchPaths.push(...asked.watchPaths);
    if (asked.verdict.kind === 'deny' || asked.verdict.kind === 'ask')
      leftOut.push({ file: file.file, reason: sayReasons(asked.verdict.reasons) });
    else kept.push(file);
  }
  return { files: kept, contexts, watchPaths, leftOut };
}
