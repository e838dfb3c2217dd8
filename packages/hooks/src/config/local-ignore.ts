// Keeps a `settings.local.json` out of git: it is one person's, on one machine.
import { join } from 'node:path';
import { ensureIgnored } from '../journal/ignore.ts';
import { readTextIfAny, type WritePort } from './file-system.ts';
import { replaceFile } from './replace-file.ts';

const name = 'settings.local.json';

/**
 * Sees to it that the `.gitignore` in the directory names the file, adding a line to one that does not. One that is a
 * link is somebody else's file and stays as it is. False if git may still see the settings.
 */
export async function ensureLocalIgnored(directory: string, fs: WritePort): Promise<boolean> {
  const file = join(directory, '.gitignore');
  try {
    await ensureIgnored(directory, fs);
    if (!(await fs.lstat(file)).isFile()) return false;
    const text = (await readTextIfAny(file, fs)) ?? '';
    if (isNamed(text)) return true;
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    const mode = (await fs.stat(file)).mode & 0o7777;
    const unchanged = async (): Promise<boolean> => (await readTextIfAny(file, fs)) === text;
    return await replaceFile({ file, text: `${start}${name}\n`, mode, unchanged }, fs);
  } catch {
    return false;
  }
}

/** Of the lines that speak about the file or about everything, the last one counts. */
function isNamed(gitignore: string): boolean {
  const lines = gitignore.split(/\r?\n/).map((line) => line.trim());
  const about = lines.filter((line) =>
    [name, `/${name}`, '*', '*.local.json'].includes(line.replace(/^!/, '')),
  );
  return about.at(-1)?.startsWith('!') === false;
}
