// Saves the answers, then asks the ConfigChange hooks; what they refuse is taken back.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { editSetting, failureReason, type WriteResult, writeSetting } from '@codey/hooks';
import type { Answer } from './answer.ts';
import type { SetupHooks } from './hooks.ts';
import { putFile } from './put-file.ts';
import { takeBackIfRefused, type Written } from './take-back-if-refused.ts';

export interface SavePorts {
  readonly home: string;
  readonly projectRoot: string;
  readonly hooks: Pick<SetupHooks, 'askAboutChange'>;
}

export interface Saved {
  /** Files that hold the answers now. */
  readonly files: readonly string[];
  /** What was not saved, and why: a sentence each. */
  readonly problems: readonly string[];
  /** Of which files hooks refused the new content. */
  readonly refused: readonly Answer['file'][];
}

interface Save {
  readonly of: Answer['file'];
  readonly written: Written;
}

/**
 * All answers for one file are one save. Never rejects: an answer that cannot be written is named, and the others are
 * saved all the same.
 */
export async function saveAnswers(answers: readonly Answer[], ports: SavePorts): Promise<Saved> {
  const problems: string[] = [];
  const files = new Set<string>();
  const refused: Answer['file'][] = [];
  const saves = new Map<string, Save>();
  for (const answer of answers) {
    const result = await write(answer, ports);
    if (result.kind === 'refused') problems.push(`${answer.path.join('.')} was not saved: ${result.message}`);
    else files.add(result.file);
    if (result.kind !== 'written') continue;
    const written = oneSave(saves.get(result.file)?.written, result);
    saves.set(result.file, { of: answer.file, written });
  }
  for (const [file, { of, written }] of saves) {
    const refusal = await takeBackIfRefused(written, 'user_settings', ports.hooks);
    if (refusal === undefined) continue;
    files.delete(file);
    refused.push(of);
    problems.push(`your answers were ${refusal.message}`);
  }
  return { files: [...files], problems, refused };
}

/** From what the file was at first to what it is now. */
function oneSave(first: Written | undefined, last: Written): Written {
  if (first === undefined) return last;
  const { before: _between, ...rest } = last;
  return { ...rest, mode: first.mode, ...(first.before !== undefined && { before: first.before }) };
}

function write({ path: keys, value, file }: Answer, { home, projectRoot }: SavePorts): Promise<WriteResult> {
  if (file === 'user') return writeSetting({ scope: 'user', home, projectRoot, path: keys, value });
  return writeManaged(join(home, '.codey', 'managed-settings.json'), keys, value);
}

/** The one file that the setting's own writer leaves alone: what is in it holds for the user as well. */
async function writeManaged(file: string, keys: Answer['path'], value: unknown): Promise<WriteResult> {
  try {
    const before = await readIfAny(file);
    const edit = editSetting(before ?? '', keys, value);
    if (!edit.ok) return { kind: 'refused', file, message: `${file}: ${edit.message}` };
    if (edit.text === (before ?? '')) return { kind: 'unchanged', file };
    const mode = before === undefined ? 0o600 : (await stat(file)).mode & 0o7777;
    await putFile(file, edit.text, mode);
    return { kind: 'written', file, ...(before !== undefined && { before }), after: edit.text, mode };
  } catch (error) {
    return { kind: 'refused', file, message: `${file} cannot be written: ${failureReason(error)}` };
  }
}

/** Undefined where there is no file. Its byte order mark stays, and text that is not UTF-8 throws. */
async function readIfAny(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
