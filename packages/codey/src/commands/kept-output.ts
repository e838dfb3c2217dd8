// What a policy hook printed, from the file the journal names. A journal stands in the project, so its names are not trusted.
import { join } from 'node:path';
import { diskFiles, openForRead } from '@codey/hooks';

/** Characters; a hook that prints more is better read in its file. */
const longest = 4_000;

/** Undefined where there is no such file, or the names could lead out of the session's own folder. */
export async function readKeptOutput(
  projectFolder: string,
  session: string,
  name: string,
): Promise<string | undefined> {
  if (![session, name].every(isPlainName)) return undefined;
  const file = join(projectFolder, 'sessions', session, 'output', name);
  const handle = await openForRead(diskFiles, file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(longest * 4);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return text.length > longest ? `${text.slice(0, longest)}\n[cut here; the whole text: ${file}]` : text;
  } finally {
    await handle.close();
  }
}

function isPlainName(name: string): boolean {
  return /^[\w-][\w.-]*$/.test(name);
}
