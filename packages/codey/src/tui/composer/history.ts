// What the user typed in this project, kept with its sessions: one JSON string a line, the newest last.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '@codey/hooks';
import type { PromptHistory } from '../ports.ts';

const mostEntries = 1_000;
/** A longer prompt was pasted rather than typed, and is not looked for again by its words. */
const longestEntry = 20_000;

/** Without a home it lasts as long as the program. A history that cannot be read or written is no reason to stop anybody. */
export function openHistory(home: string | undefined, root: string): PromptHistory {
  const file = home === undefined ? undefined : join(projectFolder(home, root), 'prompts.jsonl');
  const text = file === undefined ? '' : readText(file);
  const entries = text.trimEnd().split('\n').slice(-mostEntries).flatMap(parseEntry);
  // Its last writer was killed in a write: what follows must not become part of that line.
  let torn = text !== '' && !text.endsWith('\n');
  return {
    entries,
    add(entry) {
      if (entry.trim() === '' || entry === entries.at(-1) || entry.length > longestEntry) return;
      entries.push(entry);
      if (file === undefined) return;
      append(file, `${torn ? '\n' : ''}${JSON.stringify(entry)}\n`);
      torn = false;
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parseEntry(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}

function append(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    // It is still there for as long as the program runs.
  }
}
