// Writes an answer as the JSON object that a hook prints on stdout.
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { Answer } from '../policy/decision.ts';

export type Encoded = Readonly<Record<string, unknown>>;

/** Undefined where nothing is said. Reading it back gives the same answer. */
export function encodeAnswer(event: PolicyEventName, answer: Partial<Answer>): Encoded | undefined {
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
