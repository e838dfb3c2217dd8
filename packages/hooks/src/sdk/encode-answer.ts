// Writes an answer as the JSON object that a hook prints on stdout.
import type { PolicyEventName } from '../policy/catalogue.ts';
import { isObject } from '../config/is-object.ts';
import type { Answer, Verdict } from '../policy/decision.ts';

export type Encoded = Readonly<Record<string, unknown>>;

/**
 * Undefined where nothing is said. Reading it back gives the same answer. Throws for what is no answer: types keep it out
 * of TypeScript, and in JavaScript a guard that says nothing would look like one that has nothing against it.
 */
export function encodeAnswer(event: PolicyEventName, answer: Partial<Answer>): Encoded | undefined {
  refuseOthers(answer);
  const { halt, systemMessage, suppressOutput } = answer;
  const specific = encodeSpecific(answer);
  const encoded: Encoded = {
    ...encodeDecision(answer),
    ...(halt !== undefined && { continue: false, stopReason: halt.stopReason }),
    ...(systemMessage !== undefined && { systemMessage }),
    ...(suppressOutput !== undefined && { suppressOutput }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: event, ...specific } }),
  };
  return Object.keys(encoded).length === 0 ? undefined : encoded;
}

function refuseOthers(answer: unknown): void {
  const help = 'make it with deny(…), allow(…), context(…) and the other functions of @codey/hooks/sdk';
  if (!isObject(answer)) throw new TypeError(`the answer is ${JSON.stringify(answer)}; ${help}`);
  for (const key of Object.keys(answer)) {
    if (!Object.hasOwn(parts, key)) throw new TypeError(`the answer has no "${key}"; ${help}`);
  }
  const { verdict } = answer;
  if (verdict !== undefined && !(isObject(verdict) && verdicts.has(String(verdict.kind))))
    throw new TypeError(`the answer's verdict is ${JSON.stringify(verdict)}; ${help}`);
}

/** An object, so that the compiler finds what is missing. */
const parts: Readonly<Record<keyof Answer, true>> = {
  verdict: true,
  halt: true,
  updatedInput: true,
  updatedToolOutput: true,
  additionalContext: true,
  watchPaths: true,
  worktreePath: true,
  elicitation: true,
  systemMessage: true,
  suppressOutput: true,
};

const verdicts: ReadonlySet<string> = new Set([
  'none',
  'allow',
  'ask',
  'deny',
  'continue',
] satisfies Verdict['kind'][]);

function encodeDecision({ verdict }: Partial<Answer>): Encoded {
  switch (verdict?.kind) {
    case 'deny':
      return { decision: 'block', reason: verdict.reason };
    case 'continue':
      return { decision: 'continue', reason: verdict.reason };
    case 'allow':
    case 'ask':
    case 'none':
    case undefined:
      return {};
  }
}

function encodeSpecific(answer: Partial<Answer>): Encoded {
  const {
    verdict,
    updatedInput,
    additionalContext,
    updatedToolOutput,
    watchPaths,
    worktreePath,
    elicitation,
  } = answer;
  return {
    ...((verdict?.kind === 'allow' || verdict?.kind === 'ask') && {
      permissionDecision: verdict.kind,
      ...(verdict.reason !== undefined && { permissionDecisionReason: verdict.reason }),
    }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(additionalContext !== undefined && { additionalContext }),
    ...(updatedToolOutput !== undefined && { updatedToolOutput }),
    ...(watchPaths !== undefined && { watchPaths }),
    ...(worktreePath !== undefined && { worktreePath }),
    ...elicitation,
  };
}
