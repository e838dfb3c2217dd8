// A question of the program itself with a text to read and a few answers. Pure.
import type { ApprovalRequest } from '@codey/agent';
import { type Key, keyName } from '../screen/keys.ts';
import { moveSelection } from '../state/selection.ts';

export interface DecisionRequest {
  /** Who waits for the answer: an agent whose call a server of MCP asks about. Absent for what is the program's own. */
  readonly agent?: ApprovalRequest['agent'];
  /** As in `FormAsker`. */
  readonly oneOf?: readonly string[];
  readonly title: string;
  /** To be read before answering; may come from anywhere. */
  readonly text: string;
  /** The first one is marked when it opens, so it must be the one that changes least. */
  readonly choices: readonly { readonly id: string; readonly key: string; readonly label: string }[];
}

export interface DecisionState {
  readonly choice: number;
  readonly scroll: number;
}

export const newDecision: DecisionState = { choice: 0, scroll: 0 };

export type DecisionStep =
  | { readonly kind: 'state'; readonly state: DecisionState }
  | { readonly kind: 'chosen'; readonly id: string };

/** Undefined for a key it has no use for. */
export function decisionKey(
  state: DecisionState,
  { choices }: DecisionRequest,
  key: Key,
): DecisionStep | undefined {
  const name = keyName(key);
  if (name === 'pageUp') return { kind: 'state', state: { ...state, scroll: Math.max(0, state.scroll - 5) } };
  if (name === 'pageDown') return { kind: 'state', state: { ...state, scroll: state.scroll + 5 } };
  const moved = moveSelection(state.choice, choices.length, name);
  if (moved !== undefined) return { kind: 'state', state: { ...state, choice: moved } };
  const chosen =
    name === 'enter' ? choices[state.choice] : choices.find((choice) => choice.key === name.toLowerCase());
  return chosen && { kind: 'chosen', id: chosen.id };
}
