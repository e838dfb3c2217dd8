// Makes a file that was not there, with all it shall hold or not at all.
import { randomId } from '../random.ts';
import { errorCode, type Files } from './files.ts';

/**
 * False where something stands under the name, a link to nothing included. Whoever sees the file sees the whole text,
 * also where this process is killed on the way. Throws what the file system throws; nothing is left behind then.
 */
export async function createFile(files: Files, path: string, text: string, mode: number): Promise<boolean> {
  const temporary = `${path}.${randomId()}.tmp`;
  await writeNew(files, temporary, text, mode);
  try {
    await files.link(temporary, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (!oneNameOnly.has(code ?? '')) throw error;
    return await createInPlace(files, path, text, mode);
  } finally {
    await files.unlink(temporary).catch(() => {});
  }
}

/** What file systems say on which a file has one name, such as exFAT. */
const oneNameOnly = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/** The second best: its readers may meet it empty. */
async function createInPlace(files: Files, path: string, text: string, mode: number): Promise<boolean> {
  try {
    await writeNew(files, path, text, mode);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function writeNew(files: Files, path: string, text: string, mode: number): Promise<void> {
  const handle = await files.open(path, 'wx', mode);
  try {
    await handle.writeFile(text);
  } catch (error) {
    await files.unlink(path).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}
