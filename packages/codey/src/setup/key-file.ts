// Keys of model providers that were typed into the wizard: a file only their owner can read, looked at where the
// environment has none.
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeProcess, failureReason, promptFiles, replaceFile, waitForLock } from '@codey/hooks';

export function keyFile(home: string): string {
  return join(home, '.codey', 'keys.json');
}

/** By the name of the variable each stands for. Empty where there is no file, or none that can be read. */
export async function readKeys(home: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (home === undefined) return {};
  try {
    return onlyTexts(await readFileOf(home));
  } catch {
    return {};
  }
}

/** Keeps the other keys, and a file that cannot be read as it is. Undefined when it was done, else why not. */
export async function writeKey(home: string, variable: string, key: string): Promise<string | undefined> {
  const file = keyFile(home);
  const reason = await addKey(home, variable, key).catch(failureReason);
  return reason === undefined ? undefined : `the key was not kept: ${file} cannot be changed: ${reason}`;
}

/** Why it was not added. Two wizards may be given a key at the same moment, and both stay. */
async function addKey(home: string, variable: string, key: string): Promise<string | undefined> {
  const file = keyFile(home);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = await waitForLock(`${file}.lock`, describeProcess(process.pid));
  if (!lock.held) return `another process is writing it; remove ${file}.lock if no codey runs`;
  try {
    const kept = await readFileOf(home);
    const text = `${JSON.stringify({ ...kept, [variable]: key }, null, 2)}\n`;
    await replaceFile({ file, text, mode: 0o600 });
    return undefined;
  } finally {
    await lock.release();
  }
}

/** Everything in it; nothing where there is no file. Throws for a file that holds something else. */
async function readFileOf(home: string): Promise<object> {
  const file = keyFile(home);
  let text: string;
  try {
    text = await promptFiles.readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  // A backup or an editor may have opened it to others.
  await chmod(file, 0o600).catch(() => {});
  const kept = parse(text);
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept))
    throw new Error('it holds no JSON object; correct or remove it');
  return kept;
}

/** The parser's own message would show a piece of the file, and with it a key. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function onlyTexts(kept: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
