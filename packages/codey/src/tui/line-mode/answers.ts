// What a typed line means as an answer. Pure; undefined where it means nothing and must be asked for again.
import type { ApprovalAnswer, ApprovalRequest, Question } from '@codey/agent';
import type { DecisionRequest } from '../prompts/decision-state.ts';

/** `y`, `a` and `p` where remembering is offered, `n` with the reason behind it. */
export function readApproval(line: string, { pattern }: ApprovalRequest): ApprovalAnswer | undefined {
  const [, letter = '', reason = ''] = /^\s*(\S+)\s*(.*)$/s.exec(line) ?? [];
  switch (letter.toLowerCase()) {
    case 'y':
    case 'yes':
      return { kind: 'once' };
    case 'a':
      return pattern === undefined ? undefined : { kind: 'remember', pattern, keep: 'session' };
    case 'p':
      return pattern === undefined ? undefined : { kind: 'remember', pattern, keep: 'project' };
    case 'n':
    case 'no':
      return { kind: 'deny', ...(reason.trim() !== '' && { reason: reason.trim() }) };
    default:
      return undefined;
  }
}

/** Numbers of options, several where several may be chosen, else an answer in own words. An empty line leaves it open. */
export function readQuestion(line: string, { options, multiple = false }: Question): string | undefined {
  const text = line.trim();
  const numbers = text.split(/[\s,]+/);
  if (text === '' || !numbers.every((number) => /^\d+$/.test(number))) return text;
  const labels = numbers.map((number) => options[Number(number) - 1]?.label);
  const known = labels.filter((label) => label !== undefined);
  if (known.length !== labels.length || (known.length > 1 && !multiple)) return undefined;
  return [...new Set(known)].join(', ');
}

export function readDecision(line: string, { choices }: DecisionRequest): string | undefined {
  return choices.find(({ key }) => key === line.trim().toLowerCase())?.id;
}

/** The value behind a number of a printed list; empty for nothing chosen. */
export function readPick(line: string, values: readonly string[]): string | undefined {
  const text = line.trim();
  return text === '' ? '' : values[Number(text) - 1];
}
