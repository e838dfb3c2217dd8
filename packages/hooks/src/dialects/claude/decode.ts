// Reads what a hook of this format answered.
import { stripVTControlCharacters } from 'node:util';
import { policyCatalogue, type PolicyEventName } from '../../policy/catalogue.ts';
import type { Answer, ElicitationAnswer, Verdict } from '../../policy/decision.ts';
import type { OutputField } from '../../policy/define-event.ts';
import type { Decoded } from '../dialect.ts';
import { claudeEvents } from './events.ts';
import { readBoolean, readObject, readPaths, readString, type Reading, show } from './reading.ts';
import { readPrinted } from './stdout.ts';
import type { Fields } from './tool-input.ts';
import { responseText } from './tool-response.ts';

export function decodeFromClaude(event: PolicyEventName, stdout: string): Decoded {
  const printed = readPrinted(stdout);
  switch (printed.kind) {
    case 'text':
      return event === 'WorktreeCreate' ? readWorktreeText(printed.text) : printed;
    case 'object':
      return readAnswer(event, printed.object);
    case 'mixed': {
      const inner = readAnswer(event, printed.object);
      return {
        kind: 'broken',
        message: printed.message,
        answer: inner.kind === 'text' ? silent : inner.answer,
      };
    }
  }
}

const none: Verdict = { kind: 'none' };
const silent: Answer = { verdict: none };

function readAnswer(event: PolicyEventName, top: Fields): Decoded {
  const reading: Reading = { problems: [], notes: [] };
  const specific = readSpecific(event, top, reading);
  const permission = event === 'PermissionRequest' ? readObject(specific, 'decision', reading) : undefined;
  const verdict = strictest([
    readTopDecision(event, top, reading),
    readPermissionDecision(event, specific, reading),
    readBehavior(permission, reading),
    readOk(event, top, reading),
    readFinalAction(event, specific),
  ]);
  const halt = readHalt(event, top, reading) ?? readInterrupt(permission, reading);
  const context = readContext(event, specific, reading);
  const goesOn = verdict.kind === 'none' && context !== undefined && claudeEvents[event].block === 'continue';
  const updatedInput = readObject(permission ?? specific, 'updatedInput', reading);
  const toolOutput = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  const watchPaths = readPaths(specific, 'watchPaths', reading);
  const worktreePath = readString(specific, 'worktreePath', reading);
  const elicitation = event === 'Elicitation' ? readForm(specific, reading) : undefined;
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

function readTopDecision(event: PolicyEventName, top: Fields, reading: Reading): Verdict {
  const word = top.decision;
  if (word === undefined || word === null) return none;
  const reason = readString(top, 'reason', reading);
  switch (word) {
    case 'block':
      return block(event, reason, reading);
    case 'approve':
      // Left over from the first version of that format, where a Stop hook also says it to let the agent stop.
      return event === 'PreToolUse' ? { kind: 'allow', ...(reason !== undefined && { reason }) } : none;
    default:
      reading.problems.push(`decision is ${show(word)}; it can only be "block"`);
      return none;
  }
}

/** A block, as far as that format knows one on the event. */
function block(event: PolicyEventName, reason: string | undefined, reading: Reading): Verdict {
  switch (claudeEvents[event].block) {
    case 'deny':
      return { kind: 'deny', reason: reason ?? '' };
    case 'continue':
      return {
        kind: 'continue',
        reason: reason?.trim() ? reason : `A ${event} hook wants the work to go on.`,
      };
    case 'nothing':
      reading.notes.push(`${event} has nothing to block`);
      return none;
  }
}

function readPermissionDecision(event: PolicyEventName, specific: Fields, reading: Reading): Verdict {
  const word = specific.permissionDecision;
  if (word === undefined || word === null) return none;
  if (event !== 'PreToolUse') {
    reading.notes.push(`permissionDecision has no effect on ${event}`);
    return none;
  }
  const reason = readString(specific, 'permissionDecisionReason', reading);
  const why = reason === undefined ? {} : { reason };
  switch (word) {
    case 'deny':
      return { kind: 'deny', reason: reason ?? '' };
    case 'allow':
      return { kind: 'allow', ...why };
    case 'ask':
      return { kind: 'ask', ...why };
    case 'defer':
      reading.notes.push('defer counts as ask: a call cannot be put off to a later session');
      return { kind: 'ask', ...why };
    default:
      reading.problems.push(
        `permissionDecision is ${show(word)}; it can be "allow", "deny", "ask" or "defer"`,
      );
      return none;
  }
}

function readBehavior(decision: Fields | undefined, reading: Reading): Verdict {
  if (decision === undefined) return none;
  const message = readString(decision, 'message', reading);
  if (decision.updatedPermissions !== undefined) {
    reading.notes.push('updatedPermissions is not applied: hooks do not write rules');
  }
  switch (decision.behavior) {
    case 'allow':
      return { kind: 'allow', ...(message !== undefined && { reason: message }) };
    case 'deny':
      return { kind: 'deny', reason: message ?? '' };
    default:
      reading.problems.push(`decision.behavior is ${show(decision.behavior)}; it can be "allow" or "deny"`);
      return none;
  }
}

/** The short form that prompt and agent hooks answer in. With any other key it is some program's own status. */
function readOk(event: PolicyEventName, top: Fields, reading: Reading): Verdict {
  if (!Object.keys(top).every((key) => ['ok', 'reason', 'impossible'].includes(key))) return none;
  if (readBoolean(top, 'ok', reading) !== false) return none;
  const { block: means } = claudeEvents[event];
  if (means === 'continue' && readBoolean(top, 'impossible', reading) === true) return none;
  return block(event, readString(top, 'reason', reading), reading);
}

/** An answer to a form that is taken back before it is sent. */
function readFinalAction(event: PolicyEventName, { action }: Fields): Verdict {
  const takenBack = event === 'ElicitationResult' && (action === 'decline' || action === 'cancel');
  return takenBack ? { kind: 'deny', reason: `an ElicitationResult hook answered ${action}` } : none;
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

function readForm(specific: Fields, reading: Reading): ElicitationAnswer | undefined {
  const content = readObject(specific, 'content', reading);
  switch (specific.action) {
    case undefined:
      return undefined;
    case 'accept':
      return { action: 'accept', ...(content !== undefined && { content }) };
    case 'decline':
    case 'cancel':
      return { action: specific.action };
    default:
      reading.problems.push(`action is ${show(specific.action)}; it can be "accept", "decline" or "cancel"`);
      return undefined;
  }
}

/** The last line that is not empty is the path; a hook that prints nothing leaves the place to the program. */
function readWorktreeText(text: string): Decoded {
  const path = stripVTControlCharacters(text).trim().split('\n').at(-1)?.trim() ?? '';
  if (path === '') return { kind: 'text', text: '' };
  if (path.startsWith('/') && !path.split('/').includes('..')) {
    return { kind: 'answer', answer: { verdict: none, worktreePath: path } };
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

const order = { none: 0, allow: 1, continue: 2, ask: 3, deny: 4 } as const;

function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((strict, next) => (order[next.kind] > order[strict.kind] ? next : strict), none);
}
