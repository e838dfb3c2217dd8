// One run to one outcome: weighs how a hook ended against what it said.
import type { Dialect } from '../dialects/dialect.ts';
import type { HookDefinition } from '../config/hook.ts';
import type { RunResult } from '../runners/runner.ts';
import { policyCatalogue } from './catalogue.ts';
import { checkAnswer } from './check-answer.ts';
import { type Answer, silent } from './decision.ts';
import { hookLabel } from './label.ts';
import type { FailureCause, Outcome } from './outcome.ts';
import type { HookReport } from './report.ts';

/**
 * - exit 0: stdout that is a JSON object is the answer, other text is context where the event takes text;
 * - exit 2: a block, whatever stdout holds; its reason is the JSON reason, else stderr;
 * - anything else (another code, a signal, the deadline, broken output): the hook failed; of what it said only what
 *   tightens still counts;
 * - a failed hook blocks only where it says so with `onFailure`.
 */
export function judge(hook: HookDefinition, dialect: Dialect, result: RunResult): HookReport {
  const seen = weigh(hook, dialect, result);
  const printed = { stdout: result.stdout, stderr: result.stderr };
  const report: HookReport = {
    hook,
    outcome: seen.outcome,
    answer: seen.answer,
    durationMs: result.durationMs,
    ...(result.end.kind === 'exited' && { exit: result.end.code }),
    ...(seen.note !== undefined && { note: seen.note }),
    ...((printed.stdout !== '' || printed.stderr !== '') && { printed }),
  };
  return hook.onFailure === 'block' ? blockOnFailure(report) : report;
}

/** The sentence for a failed or timed-out hook, the same on screen, in logs and in block reasons. */
export function failureSentence(report: HookReport): string | undefined {
  const { outcome, hook } = report;
  switch (outcome.kind) {
    case 'failed':
      return `${hook.event} hook ${hookLabel(hook)} failed: ${outcome.message}`;
    case 'timed-out':
      return `${hook.event} hook ${hookLabel(hook)} was ended: no answer within ${outcome.afterMs / 1000} s`;
    default:
      return undefined;
  }
}

interface Weighed {
  readonly outcome: Outcome;
  readonly answer: Answer;
  readonly note?: string;
}

function weigh(hook: HookDefinition, dialect: Dialect, result: RunResult): Weighed {
  const { end } = result;
  switch (end.kind) {
    case 'exited':
      if (end.code === 0) return answered(hook, dialect, result);
      if (end.code === 2) {
        const means = dialect.exitTwo(hook.event);
        if (means !== 'failure') return exitedTwo(hook, dialect, result, means);
      }
      if (dialect.answersOnEveryExit && dialect.decode(hook.event, result.stdout).kind === 'answer') {
        return answered(hook, dialect, result);
      }
      return failed(hook, dialect, result, 'exit-code', exitSentence(end.code, result.stderr));
    case 'answered': {
      if (end.value === undefined || end.value === null)
        return { outcome: { kind: 'passed' }, answer: silent };
      const checked = checkAnswer(end.value);
      if (!checked.ok) {
        const message = `it returned ${checked.problem}`;
        return { outcome: { kind: 'failed', cause: 'output', message }, answer: silent };
      }
      const answer = withReason(checked.answer, hook, '');
      return { outcome: outcomeOf(answer), answer };
    }
    case 'signalled':
      return failed(hook, dialect, result, 'signal', `it was ended by ${end.signal}`);
    case 'timed-out':
      return { outcome: end, answer: tightening(dialect.decode(hook.event, result.stdout)) };
    case 'cancelled':
      return { outcome: { kind: 'cancelled', why: 'interrupt' }, answer: silent };
    case 'failed':
      return { outcome: { kind: 'failed', cause: end.cause, message: end.message }, answer: silent };
  }
}

function answered(hook: HookDefinition, dialect: Dialect, result: RunResult): Weighed {
  if (result.stdoutTruncated) {
    return failed(
      hook,
      dialect,
      result,
      'output',
      'it printed more than 1 MiB; nothing of that can be read as an answer',
    );
  }
  const decoded = dialect.decode(hook.event, result.stdout);
  switch (decoded.kind) {
    case 'text': {
      const asContext = policyCatalogue[hook.event].textIsContext && decoded.text !== '';
      const answer = asContext ? { ...silent, additionalContext: decoded.text } : silent;
      return {
        outcome: { kind: 'passed' },
        answer,
        ...(decoded.note !== undefined && { note: decoded.note }),
      };
    }
    case 'answer': {
      const answer = withReason(decoded.answer, hook, result.stderr);
      return {
        outcome: outcomeOf(answer),
        answer,
        ...(decoded.note !== undefined && { note: decoded.note }),
      };
    }
    case 'broken':
      return {
        outcome: { kind: 'failed', cause: 'output', message: decoded.message },
        answer: withReason(tightening(decoded), hook, result.stderr),
      };
  }
}

function exitedTwo(
  hook: HookDefinition,
  dialect: Dialect,
  result: RunResult,
  means: 'deny' | 'continue',
): Weighed {
  const decoded = dialect.decode(hook.event, result.stdout);
  const said = decoded.kind === 'text' ? silent : decoded.answer;
  const { verdict } = said;
  const spoken =
    'reason' in verdict && (verdict.kind === 'deny' || verdict.kind === 'continue') ? verdict.reason : '';
  const reason = spoken || result.stderr.trim() || noReason(hook);
  const answer: Answer = { ...said, verdict: { kind: means, reason } };
  return { outcome: outcomeOf(answer), answer };
}

function failed(
  hook: HookDefinition,
  dialect: Dialect,
  result: RunResult,
  cause: FailureCause,
  message: string,
): Weighed {
  const answer = withReason(tightening(dialect.decode(hook.event, result.stdout)), hook, result.stderr);
  return { outcome: { kind: 'failed', cause, message }, answer };
}

/** Of an answer that cannot be trusted in full only a deny, an ask and a halt are kept: a half-written no is still a no. */
function tightening(decoded: ReturnType<Dialect['decode']>): Answer {
  if (decoded.kind === 'text') return silent;
  const { verdict, halt, systemMessage } = decoded.answer;
  const kept = verdict.kind === 'deny' || verdict.kind === 'ask' ? verdict : silent.verdict;
  return { verdict: kept, ...(halt && { halt }), ...(systemMessage !== undefined && { systemMessage }) };
}

/** A block without a reason takes stderr, so that nobody is refused without a word. */
function withReason(answer: Answer, hook: HookDefinition, stderr: string): Answer {
  const reason = stderr.trim() || noReason(hook);
  const halt = answer.halt?.stopReason === '' ? { stopReason: reason } : answer.halt;
  const verdict =
    answer.verdict.kind === 'deny' && answer.verdict.reason === ''
      ? { ...answer.verdict, reason }
      : answer.verdict;
  return { ...answer, verdict, ...(halt && { halt }) };
}

function noReason(hook: HookDefinition): string {
  return `blocked by ${hook.event} hook ${hookLabel(hook)}`;
}

function outcomeOf(answer: Answer): Outcome {
  if (answer.verdict.kind === 'deny') return { kind: 'blocked', reason: answer.verdict.reason };
  if (answer.halt) return { kind: 'blocked', reason: answer.halt.stopReason };
  const said =
    answer.verdict.kind !== 'none' ||
    answer.updatedInput !== undefined ||
    answer.updatedToolOutput !== undefined ||
    answer.worktreePath !== undefined ||
    answer.elicitation !== undefined ||
    answer.watchPaths !== undefined;
  return { kind: said ? 'decided' : 'passed' };
}

function blockOnFailure(report: HookReport): HookReport {
  const sentence = failureSentence(report);
  if (sentence === undefined || report.answer.verdict.kind === 'deny') return report;
  return {
    ...report,
    answer: { ...report.answer, verdict: { kind: 'deny', reason: sentence } },
    note: 'blocked on failure',
  };
}

function exitSentence(code: number, stderr: string): string {
  const line = tellingLine(stderr);
  const said = line === '' ? '' : `: ${line.slice(0, 200)}`;
  const meaning =
    code === 126
      ? ' (found but could not be executed)'
      : code === 127
        ? ' (a command in it was not found)'
        : '';
  return `exit code ${code}${meaning}${said}`;
}

/** The first line, unless a crash begins there: Node and Python say where before they say what. */
function tellingLine(stderr: string): string {
  const [first = '', ...others] = stderr.trim().split('\n');
  if (!/^(?:\S+:\d+|Traceback \(most recent call last\):)$/.test(first)) return first;
  return others.find((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? first;
}
