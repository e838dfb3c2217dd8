// Which argument of a call of a server's tool rules and conditions look at.
import type { CallSubject } from '@codey/hooks';

/** By the names that such arguments usually have; nothing where there is none of them. */
export function subjectOfServerCall(input: Readonly<Record<string, unknown>>): CallSubject {
  const { command, path, file_path: filePath, url, uri } = input;
  if (typeof command === 'string') return { kind: 'command', line: command };
  if (typeof path === 'string') return { kind: 'path', path };
  if (typeof filePath === 'string') return { kind: 'path', path: filePath };
  if (typeof url === 'string') return { kind: 'url', url };
  return typeof uri === 'string' ? { kind: 'url', url: uri } : { kind: 'none' };
}
