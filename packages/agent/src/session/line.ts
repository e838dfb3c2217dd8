// One entry as one line of text, and back.
import { matchesShape, type Shape } from '@codey/hooks';
import type { LoggedEntry, SessionEntry } from './entry.ts';

export function encodeEntry(
  entry: SessionEntry,
  n: number,
  now: number,
): { entry: LoggedEntry; line: string } {
  const logged: LoggedEntry = { n, time: new Date(now).toISOString(), ...entry };
  return { entry: logged, line: `${JSON.stringify(logged)}\n` };
}

/** `foreign`: a kind that only a newer codey writes; it is kept and left alone. */
export type ParsedLine =
  | { readonly kind: 'entry'; readonly entry: LoggedEntry }
  | { readonly kind: 'foreign'; readonly n: number }
  | { readonly kind: 'damaged' };

/**
 * The beginning of an object never is an object itself, so a line that parses is a line that was written to its end.
 */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'damaged' };
  }
  if (!matchesShape(value, stamp)) return { kind: 'damaged' };
  const kind = value.kind as string;
  if (!Object.hasOwn(shapes, kind)) return { kind: 'foreign', n: value.n as number };
  const known = kind as SessionEntry['kind'];
  if (!matchesShape(value, shapes[known]) || !hasWholeParts(known, value)) return { kind: 'damaged' };
  return { kind: 'entry', entry: value as unknown as LoggedEntry };
}

/** Bytes. One answer or tool output is one line; a string of this length still fits into one of JavaScript's. */
export const longestLine = 256 * 1024 * 1024;

const stamp: Shape = { n: 'number', time: 'string', kind: 'string' };

/** What the fold relies on; the other fields are optional or only passed on. */
const shapes: Readonly<Record<SessionEntry['kind'], Shape>> = {
  session: { format: 'number', id: 'string', projectRoot: 'string', cwd: 'string' },
  opened: { source: 'string', model: 'string', cwd: 'string' },
  prompt: { agent: 'string', text: 'string', from: 'object' },
  context: { agent: 'string', text: 'string', source: 'string' },
  answer: { agent: 'string', text: 'string', calls: 'array', usage: 'object' },
  result: { agent: 'string', callId: 'string', tool: 'string', output: 'string', failed: 'boolean' },
  compacted: { agent: 'string', summary: 'string', keptFrom: 'number' },
  run: { agent: 'string', state: 'string' },
  agent: { agent: 'string', type: 'string', state: 'string' },
  team: { team: 'string', state: 'string' },
  once: { identity: 'string' },
  env: { values: 'object' },
  cwd: { cwd: 'string' },
  name: { name: 'string' },
  closed: { reason: 'string' },
};

const tokens: Shape = { input: 'number', output: 'number' };
const toolCall: Shape = { id: 'string', tool: 'string', input: 'object' };

/** The same, inside the fields that hold something. */
function hasWholeParts(kind: SessionEntry['kind'], value: Readonly<Record<string, unknown>>): boolean {
  switch (kind) {
    case 'answer':
      return (
        matchesShape(value.usage, tokens) &&
        (value.calls as readonly unknown[]).every((call) => matchesShape(call, toolCall))
      );
    case 'compacted':
      return value.usage === undefined || matchesShape(value.usage, tokens);
    case 'prompt':
      return matchesShape(value.from, { kind: 'string' });
    case 'team':
      return value.state === 'closed' || typeof value.lead === 'string';
    case 'env':
      return Object.values(value.values as object).every((each) => each === null || typeof each === 'string');
    default:
      return true;
  }
}
