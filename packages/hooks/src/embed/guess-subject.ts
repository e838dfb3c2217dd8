// What a call of an unknown tool is about, by the names and looks of its arguments.
import { fileURLToPath } from 'node:url';
import type { CallSubject, PlainSubject } from '../condition/call.ts';

/**
 * Commands, paths and addresses in the input, however deep: `command` and the like hold a command line or its words,
 * `path`, `file_path`, `destination` a path, `url` an address. A single text gives its plain subject; of several nobody
 * knows which one the tool takes, so a rule that stops a call looks at every text and one that allows it must cover every
 * subject. An agent that knows its tools says it itself: conditions and rules are only as good as this answer.
 */
export function guessSubject(_tool: string, input: Readonly<Record<string, unknown>>): CallSubject {
  const found: Found = { subjects: [], texts: new Set(), complete: true };
  visit('', input, found, 0);
  const program = commandOfParts(input);
  if (program !== undefined) found.subjects.push(program);
  const subjects = unique(found.subjects);
  const texts = [...found.texts].filter((text) => text !== '');
  if (texts.length === 0 && subjects.length === 0 && found.complete) return { kind: 'none' };
  const [only] = subjects;
  return only !== undefined && subjects.length === 1 && texts.length === 1 && found.complete
    ? only
    : { kind: 'guessed', subjects, texts, complete: found.complete };
}

interface Found {
  readonly subjects: PlainSubject[];
  readonly texts: Set<string>;
  complete: boolean;
}

/** Beyond these the input counts as not known in full. */
const mostTexts = 500;
const deepest = 20;

/** `name` is that of the nearest argument. */
function visit(name: string, value: unknown, found: Found, depth: number): void {
  if (depth > deepest || found.texts.size > mostTexts) {
    found.complete = false;
    return;
  }
  if (typeof value === 'string') {
    found.texts.add(value);
    const subject = subjectOf(name, value);
    if (subject !== undefined) found.subjects.push(subject);
  } else if (Array.isArray(value)) {
    const words = value.filter((word) => typeof word === 'string');
    if (words.length > 1) {
      found.texts.add(words.join(' '));
      if (isCommandName(name)) found.subjects.push({ kind: 'command', line: asLine(words) });
    }
    for (const item of value) visit(name, item, found, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      // Deeper down a key may be data as well, such as the name of a file.
      if (depth > 0) found.texts.add(key);
      visit(key, item, found, depth + 1);
    }
  }
}

function subjectOf(name: string, text: string): PlainSubject | undefined {
  if (text.trim() === '') return undefined;
  if (isCommandName(name)) return { kind: 'command', line: text };
  if (/^\s*file:/i.test(text)) return fileSubject(text);
  const key = plainKey(name);
  if (/(?:url|uri|href)s?$/.test(key)) return { kind: 'url', url: text };
  // Several lines are a text, whatever they are called.
  if (text.includes('\n')) return undefined;
  const looksLikePath = /^(?:~|\.{1,2})?\//.test(text);
  const isPathName = /(?:path|file|filename|dir|directory|folder|destination|source|target|dest|src|dst)s?$/;
  return isPathName.test(key) || looksLikePath ? { kind: 'path', path: text } : undefined;
}

function fileSubject(text: string): PlainSubject {
  try {
    return { kind: 'path', path: fileURLToPath(text.trim()) };
  } catch {
    return { kind: 'url', url: text };
  }
}

function isCommandName(name: string): boolean {
  return /^(?:command|cmd|commandline|script|shell|bash|exec|run)s?$/.test(plainKey(name));
}

/** `filePath`, `file_path` and `file-path` are one name. */
function plainKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `{"command": "git", "args": ["push"]}` is `git push`. */
function commandOfParts(input: Readonly<Record<string, unknown>>): PlainSubject | undefined {
  const entries = Object.entries(input);
  const program = entries.find(
    ([name, value]) =>
      typeof value === 'string' && /^(?:command|cmd|program|executable|binary)$/.test(plainKey(name)),
  );
  const words = entries.find(
    ([name, value]) =>
      Array.isArray(value) && /^(?:args|arguments|argv|params|parameters)$/.test(plainKey(name)),
  );
  if (program === undefined || words === undefined) return undefined;
  return {
    kind: 'command',
    line: asLine([String(program[1]), ...(words[1] as readonly unknown[]).map(String)]),
  };
}

/** Words as a line that a shell reads as those words. */
function asLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

function unique(subjects: readonly PlainSubject[]): readonly PlainSubject[] {
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}
