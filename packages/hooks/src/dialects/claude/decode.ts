// Reads what a hook of this format answered.
import { stripVTControlCharacters } from 'node:util';
import { policyCatalogue, type PolicyEventName } from '../../policy/catalogue.ts';
import { type Answer, silent } from '../../policy/decision.ts';
import type { OutputField } from '../../policy/define-event.ts';
import type { Decoded } from '../dialect.ts';
import {
  type Fields,
  readBoolean,
  readElicitation,
  readObject,
  readPaths,
  readString,
  type Reading,
  show,
} from '../reading.ts';
import { claudeEvents } from './events.ts';
import { readPrinted } from './stdout.ts';
import { responseText } from './tool-response.ts';
import { readVerdict } from './verdict.ts';

export function decodeFromClaude(event: PolicyEventName, stdout: string): Decoded {
  const printed = readPrinted(stdout);
  switch (printed.kind) {
    case 'text':
      return event === 'WorktreeCreate' ? readWorktreeText(printed.text) : printed;
    case 'object':
      return readAnswer(event, printed.object);
    case 'mixed': {
      const { answer } = readAnswer(event, printed.object);
      return { kind: 'broken', message: printed.message, answer };
    }
  }
}

function readAnswer(event: PolicyEventName, top: Fields): Exclude<Decoded, { kind: 'text' }> {
  const reading: Reading = { problems: [], notes: [] };
  const specific = readSpecific(event, top, reading);
  const permission = event === 'PermissionRequest' ? readObject(specific, 'decision', reading) : undefined;
  const verdict = readVerdict(event, { top, specific, permission }, reading);
  const halt = readHalt(event, top, reading) ?? readInterrupt(permission, reading);
  const context = readContext(event, specific, reading);
  const goesOn = verdict.kind === 'none' && context !== undefined && claudeEvents[event].block === 'continue';
  const updatedInput = readObject(permission ?? specific, 'updatedInput', reading);
  const toolOutput = specific.updatedToolOutput ?? specific.updatedMCPToolOutput ?? undefined;
  const watchPaths = readPaths(specific, 'watchPaths', reading);
  const worktreePath = readString(specific, 'worktreePath', reading);
  const elicitation = event === 'Elicitation' ? readElicitation(specific, reading) : undefined;
  const systemMessage = readString(top, 'systemMessage', reading);
  const suppressOutput = readBoolean(top, 'suppressOutput', reading);
  const effect = <T>(field: OutputField, value: T | undefined): value is T =>
    takesEffect(event, field, value, reading);
  const answer: Answer = {
    verdict: goesOn ? { kind: 'continue', reason: context } : verdict,
    ...(halt !== undefined && { halt }),
    ...(effect('updatedInput', updatedInput) && { updatedInput }),
    ...(effect('updatedToolOutput', toolOutput) && { updatedToolOutput: responseText(toolOutput) }),
    ...(!goesOn && effect('additionalContext', context) && { additionalContext: context }),
    ...(effect('watchPaths', watchPaths) && { watchPaths }),
    ...(effect('worktreePath', worktreePath) && { worktreePath }),
    ...(elicitation !== undefined && { elicitation }),
    ...(systemMessage !== undefined && { systemMessage }),
    ...(suppressOutput !== undefined && { suppressOutput }),
  };
  if (reading.problems.length > 0) return { kind: 'broken', message: reading.problems.join('; '), answer };
  const note = reading.notes.join('; ');
  return { kind: 'answer', answer, ...(note !== '' && { note }) };
}

/** Many published hooks leave the name of the event out. Under the name of another one nothing can be meant for this. */
function readSpecific(event: PolicyEventName, top: Fields, reading: Reading): Fields {
  const specific = readObject(top, 'hookSpecificOutput', reading) ?? {};
  const named = specific.hookEventName;
  if (named !== undefined && named !== event) {
    reading.problems.push(`hookSpecificOutput.hookEventName is ${show(named)}, but this is ${event}`);
  }
  return specific;
}

function readHalt(event: PolicyEventName, top: Fields, reading: Reading): Answer['halt'] {
  if (readBoolean(top, 'continue', reading) !== false) return undefined;
  const stopReason = readString(top, 'stopReason', reading) ?? '';
  if (claudeEvents[event].halts) return { stopReason };
  reading.notes.push(`"continue": false has no effect on ${event}`);
  return undefined;
}

function readInterrupt(decision: Fields | undefined, reading: Reading): Answer['halt'] {
  if (decision?.behavior !== 'deny' || readBoolean(decision, 'interrupt', reading) !== true) return undefined;
  return { stopReason: readString(decision, 'message', reading) ?? '' };
}

function readContext(event: PolicyEventName, specific: Fields, reading: Reading): string | undefined {
  const context = readString(specific, 'additionalContext', reading);
  if (context !== undefined && context !== '') return context;
  const retry = event === 'PermissionDenied' && readBoolean(specific, 'retry', reading) === true;
  return retry ? 'A hook says that this call may be tried again.' : undefined;
}

/** The last line that is not empty is the path; a hook that prints nothing leaves the place to the program. */
function readWorktreeText(text: string): Decoded {
  const path = stripVTControlCharacters(text).trim().split('\n').at(-1)?.trim() ?? '';
  if (path === '') return { kind: 'text', text: '' };
  if (path.startsWith('/') && !path.split('/').includes('..')) {
    return { kind: 'answer', answer: { ...silent, worktreePath: path } };
  }
  const message = `its last line must be the absolute path of the worktree, without "..", and is ${show(path)}`;
  return { kind: 'broken', message, answer: silent };
}

function takesEffect<T>(
  event: PolicyEventName,
  field: OutputField,
  value: T | undefined,
  reading: Reading,
): value is T {
  if (value === undefined) return false;
  const output: readonly OutputField[] = policyCatalogue[event].output;
  if (output.includes(field)) return true;
  reading.notes.push(`${field} has no effect on ${event}`);
  return false;
}
