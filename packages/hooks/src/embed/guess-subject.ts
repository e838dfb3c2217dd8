// What a call of an unknown tool is about, by the names that its arguments usually have.
import type { CallSubject } from '../condition/call.ts';

/**
 * `command` or `cmd` is a command line, `path`, `file_path` or `file` a path, `url` an address, in this order. An agent
 * that knows its tools says it itself: conditions and rules are only as good as this answer.
 */
export function guessSubject(_tool: string, input: Readonly<Record<string, unknown>>): CallSubject {
  const line = firstText(input, ['command', 'cmd']);
  if (line !== undefined) return { kind: 'command', line };
  const path = firstText(input, ['path', 'file_path', 'file']);
  if (path !== undefined) return { kind: 'path', path };
  const url = firstText(input, ['url']);
  return url === undefined ? { kind: 'none' } : { kind: 'url', url };
}

function firstText(input: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  return names.map((name) => input[name]).find((value) => typeof value === 'string');
}
