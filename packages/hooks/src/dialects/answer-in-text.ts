// Finds an answer that stands among other text, behind the greeting of a shell profile for instance.
import type { Fields } from './reading.ts';

/** On a line of its own, or from the start of a line to the end. */
export function lastAnswerIn(text: string): Fields | undefined {
  const lines = text.split('\n');
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]?.trim() ?? '';
    if (!line.startsWith('{')) continue;
    const object =
      parseObject(line) ?? (line === '{' ? parseObject(lines.slice(index).join('\n')) : undefined);
    if (object !== undefined && speaking.some((key) => Object.hasOwn(object, key))) return object;
  }
  return undefined;
}

/** Fields without which an object is somebody's log line. */
const speaking = ['decision', 'continue', 'hookSpecificOutput', 'systemMessage'];

export function parseObject(text: string): Fields | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text.trim()) as Fields;
  } catch {
    return undefined;
  }
}
