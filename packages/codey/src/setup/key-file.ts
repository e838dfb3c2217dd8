// Keys of model providers that were typed into the wizard: a file only their owner can read, looked at where the
// environment has none.
import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { failureReason } from '@codey/hooks';
import { putFile } from './put-file.ts';

export function keyFile(home: string): string {
  return path.join(home, '.codey', 'keys.json');
}

/** By the name of the variable each stands for. Empty where there is no file, or none that can be read. */
export async function readKeys(home: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (home === undefined) return {};
  try {
    const file = keyFile(home);
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    // A backup or an editor may have opened it to others.
    await chmod(file, 0o600).catch(() => {});
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** Keeps the other keys. Undefined when it was done, else why not. */
export async function writeKey(home: string, variable: string, key: string): Promise<string | undefined> {
  const file = keyFile(home);
  try {
    const kept = await readKeys(home);
    await putFile(file, `${JSON.stringify({ ...kept, [variable]: key }, null, 2)}\n`, 0o600);
    return undefined;
  } catch (error) {
    return `the key was not kept: ${file} cannot be written: ${failureReason(error)}`;
  }
}
