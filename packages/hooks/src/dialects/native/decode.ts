// Reads the JSON that a hook written for this program prints.
import { policyCatalogue, type PolicyEventName } from '../../policy/catalogue.ts';
import type { Answer, Verdict } from '../../policy/decision.ts';
import type { OutputField } from '../../policy/define-event.ts';
import { lastAnswerIn } from '../answer-in-text.ts';
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

export function decodeNative(event: PolicyEventName, stdout: string): Decoded {
  const text = stdout.trim();
  if (!text.startsWith('{')) return { kind: 'text', text, ...noteOnAnswerIn(text) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      kind: 'broken',
      message: `stdout starts with { but is not JSON: ${messageOf(error)}`,
      answer: silentAnswer,
    };
  }
  return readAnswer(event, value as Fields);
}

/** It stays text, but whoever wrote it expects otherwise. */
function noteOnAnswerIn(text: string): { readonly note?: string } {
  return lastAnswerIn(text) === undefined
    ? {}
    : { note: 'an answer among other text was not read: print the JSON alone' };
}

function readAnswer(event: PolicyEventName, top: Fields): Decoded {
  const reading: Reading = { problems: [], notes: [] };
  const specific = readObject(top, 'hookSpecificOutput', reading) ?? {};
  const named = specific.hookEventName;
  if (named !== undefined && named !== event) {
    reading.problems.push(`hookSpecificOutput.hookEventName is ${show(named)}, but this is ${event}`);
  }
  const verdict = strictest([
    readTopDecision(event, top, reading),
    readContinueWithoutReason(top, reading),
    readSpecificDecision(specific, reading),
    readPermissionDecision(event, specific, reading),
    readOk(top, reading),
  ]);
  findMisplaced(top, specific, reading);
  const halt = readHalt(top, reading);
  const updatedInput = readSupported(event, specific, 'updatedInput', readObject, reading);
  const updatedToolOutput = readSupported(event, specific, 'updatedToolOutput', readString, reading);
  const additionalContext = readSupported(event, specific, 'additionalContext', readString, reading);
  const watchPaths = readSupported(event, specific, 'watchPaths', readPaths, reading);
  const worktreePath = readSupported(event, specific, 'worktreePath', readString, reading);
  const elicitation = readSupported(
    event,
    specific,
    'action',
    (fields, _, into) => readElicitation(fields, into),
    reading,
  );
  const systemMessage = readString(top, 'systemMessage', reading);
  const suppressOutput = readBoolean(top, 'suppressOutput', reading);
  const answer: Answer = {
    verdict,
    ...(halt !== undefined && { halt }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(updatedToolOutput !== undefined && { updatedToolOutput }),
    ...(additionalContext !== undefined && { additionalContext }),
    ...(watchPaths !== undefined && { watchPaths }),
    ...(worktreePath !== undefined && { worktreePath }),
    ...(elicitation !== undefined && { elicitation }),
    ...(systemMessage !== undefined && { systemMessage }),
    ...(suppressOutput !== undefined && { suppressOutput }),
  };
  if (reading.problems.length > 0) return { kind: 'broken', message: reading.problems.join('; '), answer };
  const note = reading.notes.join('; ');
  return { kind: 'answer', answer, ...(note !== '' && { note }) };
}

/** The only top-level words are `block` and, where the event can go on, `continue`. */
function readTopDecision(event: PolicyEventName, top: Fields, reading: Reading): Verdict {
  const word = top.decision;
  if (word === undefined || word === null) return none;
  const reason = readString(top, 'reason', reading);
  if (word === 'block') return { kind: 'deny', reason: reason ?? '' };
  if (word === 'continue' && supports(event, 'continue')) {
    if (reason === undefined || reason.trim() === '') {
      reading.problems.push('"decision": "continue" needs a reason that tells the agent what is left to do');
      return none;
    }
    return { kind: 'continue', reason };
  }
  const words = supports(event, 'continue') ? '"block" or "continue"' : '"block"';
  reading.problems.push(`decision is ${show(word)}; at the top level it can only be ${words}`);
  return none;
}

/** A reason that stands without any decision is a common slip; it steers nothing. */
function readContinueWithoutReason(top: Fields, reading: Reading): Verdict {
  if (top.reason !== undefined && top.decision === undefined && top.ok === undefined) {
    reading.notes.push('reason without a decision has no effect');
  }
  return none;
}

function readSpecificDecision(specific: Fields, reading: Reading): Verdict {
  const decision = readObject(specific, 'decision', reading);
  if (decision === undefined) return none;
  const message = readString(decision, 'message', reading);
  switch (decision.behavior) {
    case 'allow':
      return { kind: 'allow', ...(message !== undefined && { reason: message }) };
    case 'deny':
      return { kind: 'deny', reason: message ?? '' };
    default:
      reading.problems.push(
        `hookSpecificOutput.decision.behavior is ${show(decision.behavior)}; it can be "allow" or "deny"`,
      );
      return none;
  }
}

function readPermissionDecision(event: PolicyEventName, specific: Fields, reading: Reading): Verdict {
  const word = specific.permissionDecision;
  if (word === undefined || word === null) return none;
  const reason = readString(specific, 'permissionDecisionReason', reading);
  if (word !== 'allow' && word !== 'deny' && word !== 'ask') {
    reading.problems.push(`permissionDecision is ${show(word)}; it can be "allow", "deny" or "ask"`);
    return none;
  }
  if (word === 'deny') return { kind: 'deny', reason: reason ?? '' };
  if (!supports(event, 'permissionDecision')) {
    reading.notes.push(`permissionDecision ${word} has no effect on ${event}`);
    return none;
  }
  return { kind: word, ...(reason !== undefined && { reason }) };
}

/** The short form that prompt and agent hooks are asked for. */
function readOk(top: Fields, reading: Reading): Verdict {
  const ok = readBoolean(top, 'ok', reading);
  if (ok !== false) return none;
  return { kind: 'deny', reason: readString(top, 'reason', reading) ?? '' };
}

/** Said in the wrong place, these words would steer nothing without anybody noticing. No payload has fields of these names. */
const insideSpecific = [
  'permissionDecision',
  'updatedInput',
  'updatedToolOutput',
  'additionalContext',
  'watchPaths',
  'worktreePath',
] as const;

function findMisplaced(top: Fields, specific: Fields, reading: Reading): void {
  for (const key of insideSpecific) {
    if (top[key] === undefined) continue;
    reading.problems.push(`${key} has no effect at the top level; put it into hookSpecificOutput`);
  }
  if ((specific.decision as Fields | null | undefined)?.updatedInput !== undefined) {
    reading.problems.push('updatedInput has no effect inside decision; put it beside decision');
  }
}

function readHalt(top: Fields, reading: Reading): Answer['halt'] {
  if (readBoolean(top, 'continue', reading) !== false) return undefined;
  return { stopReason: readString(top, 'stopReason', reading) ?? '' };
}

function readSupported<T>(
  event: PolicyEventName,
  fields: Fields,
  key: OutputField,
  read: (fields: Fields, key: string, reading: Reading) => T | undefined,
  reading: Reading,
): T | undefined {
  if (fields[key] === undefined || fields[key] === null) return undefined;
  if (!supports(event, key)) {
    reading.notes.push(`${key} has no effect on ${event}`);
    return undefined;
  }
  return read(fields, key, reading);
}

function supports(event: PolicyEventName, field: OutputField): boolean {
  const output: readonly OutputField[] = policyCatalogue[event].output;
  return output.includes(field);
}

const none: Verdict = { kind: 'none' };
const silentAnswer: Answer = { verdict: none };
const order = { none: 0, allow: 1, continue: 2, ask: 3, deny: 4 } as const;

function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((strict, next) => (order[next.kind] > order[strict.kind] ? next : strict), none);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
