// Asks the InstructionsLoaded hooks about each file; a blocked file's content never reaches the model.
import type { Attributed, Decision, DispatchContext, Dispatcher } from '@codey/hooks';
import type { InstructionsFile } from './load.ts';

export interface Announced {
  readonly files: readonly InstructionsFile[];
  readonly contexts: readonly Attributed[];
  readonly watchPaths: Decision['watchPaths'];
  /** Files that were left out, with the reason; for the user. */
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[];
}

export async function announceInstructions(
  files: readonly InstructionsFile[],
  hooks: Dispatcher,
  context: DispatchContext,
): Promise<Announced> {
  const kept: InstructionsFile[] = [];
  const contexts: Attributed[] = [];
  const watchPaths: Decision['watchPaths'][number][] = [];
  const leftOut: { file: string; reason: string }[] = [];
  for (const file of files) {
    const asked = await hooks.dispatch(
      'InstructionsLoaded',
      { reason: 'session_start', file_path: file.file },
      context,
    );
    contexts.push(...asked.contexts);
    watchPaths.push(...asked.watchPaths);
    if (asked.verdict.kind === 'deny' || asked.verdict.kind === 'ask') {
      leftOut.push({
        file: file.file,
        reason: asked.verdict.reasons.map((reason) => reason.text).join('; '),
      });
    } else {
      kept.push(file);
    }
  }
  return { files: kept, contexts, watchPaths, leftOut };
}
