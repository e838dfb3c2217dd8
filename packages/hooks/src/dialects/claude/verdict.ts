// What an answer of that format says about the thing its event is about.
import type { PolicyEventName } from '../../policy/catalogue.ts';
import type { Verdict } from '../../policy/decision.ts';
import { claudeEvents } from './events.ts';
import { type Fields, readBoolean, readString, type Reading, show } from '../reading.ts';

/** The parts of an answer in which a verdict can stand. */
export interface VerdictParts {
  readonly top: Fields;
  /** `hookSpecificOutput`. */
  readonly specific: Fields;
  /** Its `decision`, on PermissionRequest. */
  readonly permission: Fields | undefined;
}

/** The strictest of all that is said. */
export function readVerdict(event: PolicyEventName, parts: VerdictParts, reading: Reading): Verdict {
  const { top, specific, permission } = parts;
  return strictest([
    readTopDecision(event, top, reading),
    readPermissionDecision(event, specific, reading),
    readBehavior(permission, reading),
    readOk(event, top, reading),
    readFinalAction(event, specific),
  ]);
}

const none: Verdict = { kind: 'none' };

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

const order = { none: 0, allow: 1, continue: 2, ask: 3, deny: 4 } as const;

function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((strict, next) => (order[next.kind] > order[strict.kind] ? next : strict), none);
}
