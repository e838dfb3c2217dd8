// Takes a saved setting back: the file gets the bytes and the mode it had, unless somebody changed it since.
import type { WriteResult } from './edit.ts';
import { errorCode, localDisk, readTextIfAny, type WritePort } from './file-system.ts';
import { replaceFile } from './replace-file.ts';

export type Written = Extract<WriteResult, { kind: 'written' }>;

/** What became of an edit that a ConfigChange hook refused. */
export type TakenBack =
  | { readonly kind: 'restored' }
  /** The file is as somebody else left it. */
  | { readonly kind: 'conflict'; readonly message: string };

/** Nothing is locked between the writing and this: whoever edits the file meanwhile wins. */
export async function takeBackSetting(written: Written, fs: WritePort = localDisk): Promise<TakenBack> {
  const { file, before, mode } = written;
  const unchanged = async (): Promise<boolean> => (await readTextIfAny(file, fs)) === written.after;
  try {
    if (!(await unchanged())) return conflict(file);
    if (before === undefined) await fs.unlink(file);
    else if (!(await replaceFile({ file, text: before, mode, unchanged }, fs))) return conflict(file);
    return { kind: 'restored' };
  } catch (error) {
    return {
      kind: 'conflict',
      message: `${file} could not be given its earlier content back: ${errorCode(error)}; it still holds the refused setting, so correct it by hand`,
    };
  }
}

function conflict(file: string): TakenBack {
  return {
    kind: 'conflict',
    message: `${file} was changed by somebody else meanwhile, so it was left as it is; it may hold the refused setting`,
  };
}
