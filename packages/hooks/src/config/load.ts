// Every settings file of a project and its user, read from disk.
import { errorCode, type FileFacts, localDisk, type ReadPort } from './file-system.ts';
import { parseSettings } from './parse.ts';
import {
  distinctLocations,
  type LocationOptions,
  type SettingsLocation,
  settingsLocations,
} from './scopes.ts';
import type { LoadedSettings, SettingsFile } from './settings.ts';

export interface LoadOptions extends LocationOptions {
  readonly fs?: ReadPort;
}

/**
 * Never rejects for what stands in a file or keeps it from being read: that is a problem of that file, beside those of
 * all others. A file that does not exist is no problem, unless it is the one named by `--settings`.
 */
export async function loadSettings({ fs = localDisk, ...options }: LoadOptions): Promise<LoadedSettings> {
  const possible = settingsLocations(options);
  const there = await Promise.all(possible.map((location) => mayBeThere(location, fs)));
  const locations = await distinctLocations(
    possible.filter((_, index) => there[index]),
    fs,
  );
  const files = await Promise.all(locations.map((location) => loadFile(location, fs)));
  return { projectRoot: options.projectRoot, files: files.filter((file) => file !== undefined) };
}

/** Larger files are a mistake, and reading one would be felt at every start. */
const largest = 16 * 1024 * 1024;

async function loadFile(location: SettingsLocation, fs: ReadPort): Promise<SettingsFile | undefined> {
  try {
    const facts = await fs.stat(location.file);
    if (facts.isDirectory())
      return unreadable(location, 'this is a directory where a settings file was expected');
    if (!facts.isFile()) return unreadable(location, 'this is not a regular file, so it is not read');
    if (facts.size > largest)
      return unreadable(location, 'this file is larger than 16 MiB, so it is not read');
    return parseBytes(location, await fs.readFile(location.file), isLocked(location, facts));
  } catch (error) {
    return (await isAbsent(location, error, fs))
      ? undefined
      : unreadable(location, ...explain(errorCode(error)));
  }
}

function parseBytes(location: SettingsLocation, bytes: Uint8Array, locked: boolean): SettingsFile {
  const { scope, file } = location;
  const text = decode(bytes);
  if (text === undefined) {
    return unreadable(location, 'this is not UTF-8 text', encodingHint(bytes), firstBadByte(bytes));
  }
  return { ...parseSettings({ text, scope, file }), locked };
}

/** Takes a byte order mark off. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function isAbsent(location: SettingsLocation, error: unknown, fs: ReadPort): Promise<boolean> {
  return isMissing(error) && !(await mayBeThere(location, fs));
}

/**
 * A link to nothing is there: whoever put it meant settings to be read, perhaps a guard. What cannot be looked at is told
 * by reading it.
 */
async function mayBeThere(location: SettingsLocation, fs: ReadPort): Promise<boolean> {
  if (location.scope === 'settings') return true;
  return fs.lstat(location.file).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}

/** The machine-wide file counts as out of the user's hands only if root owns it and nobody else may write it. */
function isLocked(location: SettingsLocation, facts: FileFacts): boolean {
  return location.system && facts.uid === 0 && (facts.mode & 0o022) === 0;
}

function explain(code: string): readonly [message: string, hint?: string] {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return ['this file does not exist', 'check the name, and where a link leads'];
    case 'EACCES':
    case 'EPERM':
      return ['this file may not be read', 'give yourself permission to read it'];
    case 'ELOOP':
      return ['this link leads in a circle'];
    default:
      return [`this file cannot be read: ${code}`];
  }
}

function unreadable(
  { scope, file }: SettingsLocation,
  message: string,
  hint?: string,
  place = { line: 1, column: 1 },
): SettingsFile {
  const problem = { file, ...place, scope, message, area: 'syntax' as const };
  const problems = [hint === undefined ? problem : { ...problem, hint }];
  return {
    scope,
    file,
    locked: false,
    values: {},
    places: new Map(),
    hooks: [],
    lifecycle: [],
    problems,
    warnings: [],
  };
}

function encodingHint(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return utf16 ? 'it looks like UTF-16; save it as UTF-8' : 'save it as UTF-8';
}

/** A line feed byte is always a line feed in UTF-8, so the first line that does not decode holds the first bad byte. */
function firstBadByte(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let line = 1;
  for (let start = 0; start <= buffer.length; line++) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline === -1 ? buffer.length : newline;
    const read = buffer.subarray(start, end).toString('utf8');
    const bad = read.indexOf('\ufffd');
    if (bad !== -1) return { line, column: bad + 1 };
    start = end + 1;
  }
  return { line: 1, column: 1 };
}
