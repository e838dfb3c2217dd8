// What was lost with a line that its writer never finished, as far as its beginning tells.
import type { LostLine } from './lines.ts';

export function sayLostMail(line: LostLine, member: string): string {
  const from = field(line, 'from');
  switch (field(line, 'kind')) {
    case 'mail':
      return `a message${from === undefined ? '' : ` from ${from}`} to ${member} was cut off while it was written and is lost; its sender was not told that it was sent`;
    case 'taken':
    case 'read':
    case 'returned':
      return `a note that ${member} had read a message was cut off while it was written; the message comes again`;
    default:
      return `a line of the mail of ${member} cannot be read (${sizeOf(line)}) and is left out`;
  }
}

export function sayLostTask(line: LostLine): string {
  const id = field(line, 'id');
  const task = id === undefined ? 'a task' : `task ${id}`;
  switch (field(line, 'kind')) {
    case 'reserved':
    case 'created':
      return `${task} was cut off while it was created and is not there`;
    case 'ordered':
    case 'claimed':
    case 'released':
    case 'completed':
      return `a change of ${task} (${field(line, 'kind')}) was cut off while it was written and did not happen`;
    default:
      return `a line of the task list cannot be read (${sizeOf(line)}) and is left out`;
  }
}

/** Of an object whose end is missing. */
function field({ text }: LostLine, name: string): string | undefined {
  // The first one: what people wrote comes behind the fields that are looked for.
  return new RegExp(`"${name}":"([^"\\\\]*)"`).exec(text)?.[1];
}

function sizeOf({ text, at }: LostLine): string {
  return `${Buffer.byteLength(text)} bytes at ${at}`;
}
