// An approval being decided: which answer is marked, how far its text is scrolled, what is typed. Pure.
import type { ApprovalAnswer, ApprovalRequest } from '@codey/agent';
import { type Key, keyName } from '../screen/keys.ts';
import { moveSelection } from '../state/selection.ts';
import { editField, emptyField, type TextField } from '../state/text-field.ts';

export interface ApprovalState {
  /** Index into `approvalChoices`. */
  readonly choice: number;
  /** First line of what would run that is shown. */
  readonly scroll: number;
  /** Choosing, saying why not, or changing the call; `problem` says why a change cannot be taken. */
  readonly step:
    | { readonly kind: 'choose' }
    | { readonly kind: 'reason'; readonly field: TextField }
    | { readonly kind: 'edit'; readonly problem?: string };
}

export const newApproval: ApprovalState = { choice: 0, scroll: 0, step: { kind: 'choose' } };

export interface ApprovalChoice {
  readonly id: 'once' | 'session' | 'project' | 'edit' | 'deny';
  readonly key: string;
  readonly label: string;
}

/** What can be answered; remembering only where the gate offers it. */
export function approvalChoices({ pattern }: ApprovalRequest): readonly ApprovalChoice[] {
  const remember: readonly ApprovalChoice[] =
    pattern === undefined
      ? []
      : [
          { id: 'session', key: 'a', label: `Always for ${pattern}, in this session` },
          { id: 'project', key: 'p', label: `Always for ${pattern}, in this project` },
        ];
  return [
    { id: 'once', key: 'y', label: 'Allow once' },
    ...remember,
    { id: 'edit', key: 'e', label: 'Change it first' },
    { id: 'deny', key: 'n', label: 'Deny, and say why' },
  ];
}

export type ApprovalStep =
  | { readonly kind: 'state'; readonly state: ApprovalState }
  | { readonly kind: 'answer'; readonly answer: ApprovalAnswer };

/** Undefined for a key the prompt has no use for. In the step `edit` keys belong to the editor, not here. */
export function approvalKey(
  state: ApprovalState,
  request: ApprovalRequest,
  key: Key,
): ApprovalStep | undefined {
  switch (state.step.kind) {
    case 'choose':
      return chooseKey(state, request, key);
    case 'reason':
      return reasonKey(state, state.step.field, key);
    case 'edit':
      return keyName(key) === 'escape' ? backToChoices(state) : undefined;
  }
}

function chooseKey(state: ApprovalState, request: ApprovalRequest, key: Key): ApprovalStep | undefined {
  const choices = approvalChoices(request);
  const name = keyName(key);
  if (name === 'pageUp') return { kind: 'state', state: { ...state, scroll: Math.max(0, state.scroll - 5) } };
  if (name === 'pageDown') return { kind: 'state', state: { ...state, scroll: state.scroll + 5 } };
  const moved = moveSelection(state.choice, choices.length, name);
  if (moved !== undefined) return { kind: 'state', state: { ...state, choice: moved } };
  const chosen =
    name === 'enter'
      ? choices[state.choice]
      : (choices.find((choice) => choice.key === name.toLowerCase()) ?? choices[Number(name) - 1]);
  return chosen === undefined ? undefined : choose(state, request, chosen);
}

function choose(
  state: ApprovalState,
  { pattern = '' }: ApprovalRequest,
  { id }: ApprovalChoice,
): ApprovalStep {
  switch (id) {
    case 'once':
      return { kind: 'answer', answer: { kind: 'once' } };
    case 'session':
    case 'project':
      return { kind: 'answer', answer: { kind: 'remember', pattern, keep: id } };
    case 'edit':
      return { kind: 'state', state: { ...state, step: { kind: 'edit' } } };
    case 'deny':
      return { kind: 'state', state: { ...state, step: { kind: 'reason', field: emptyField } } };
  }
}

function reasonKey(state: ApprovalState, field: TextField, key: Key): ApprovalStep | undefined {
  switch (keyName(key)) {
    case 'escape':
      return backToChoices(state);
    case 'enter': {
      const reason = field.text.trim();
      return { kind: 'answer', answer: { kind: 'deny', ...(reason !== '' && { reason }) } };
    }
    default: {
      const edited = editField(field, key);
      return edited && { kind: 'state', state: { ...state, step: { kind: 'reason', field: edited } } };
    }
  }
}

function backToChoices(state: ApprovalState): ApprovalStep {
  return { kind: 'state', state: { ...state, step: { kind: 'choose' } } };
}
