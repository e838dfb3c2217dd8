// Questions being answered one after the other, then sent together. Pure.
import type { Question } from '@codey/agent';
import { type Key, keyName } from '../screen/keys.ts';
import { moveSelection } from '../state/selection.ts';
import { editField, emptyField, type TextField } from '../state/text-field.ts';

export interface Draft {
  /** Indices of chosen options. */
  readonly chosen: readonly number[];
  /** The answer in the user's own words. */
  readonly other: TextField;
}

export interface QuestionState {
  /** Index of the question before the user; the number of questions is the last look before sending. */
  readonly current: number;
  /** Row that is marked: an option, or behind them the answer in own words. */
  readonly row: number;
  /** First line of the question that is shown. */
  readonly scroll: number;
  readonly drafts: readonly Draft[];
}

export function newQuestions(questions: readonly Question[]): QuestionState {
  return { current: 0, row: 0, scroll: 0, drafts: questions.map(() => ({ chosen: [], other: emptyField })) };
}

export type QuestionStep =
  | { readonly kind: 'state'; readonly state: QuestionState }
  | { readonly kind: 'answers'; readonly answers: readonly string[] };

/** Undefined for a key the prompt has no use for. */
export function questionKey(
  state: QuestionState,
  questions: readonly Question[],
  key: Key,
): QuestionStep | undefined {
  const question = questions[state.current];
  const draft = state.drafts[state.current];
  const name = keyName(key);
  if (question === undefined || draft === undefined) return reviewKey(state, questions, name);
  if (name === 'pageUp') return { kind: 'state', state: { ...state, scroll: Math.max(0, state.scroll - 5) } };
  if (name === 'pageDown') return { kind: 'state', state: { ...state, scroll: state.scroll + 5 } };
  if (name === 'tab' && questions.length > 1) return goTo(state, state.current + 1, questions);
  if (name === 'shift+tab') return goTo(state, state.current - 1, questions);
  if (key.kind === 'named' && key.name !== 'home' && key.name !== 'end') {
    const moved = moveSelection(state.row, question.options.length + 1, key.name);
    if (moved !== undefined) return { kind: 'state', state: { ...state, row: moved } };
  }
  const own = state.row === question.options.length;
  if (name === 'enter') return confirm(state, questions, question, draft, own);
  if (own) {
    const other = editField(draft.other, key);
    return other && { kind: 'state', state: withDraft(state, { ...draft, other }) };
  }
  if ((name === ' ' || name === 'space') && question.multiple === true) {
    return { kind: 'state', state: withDraft(state, toggle(draft, state.row)) };
  }
  return key.kind === 'text' ? byNumber(state, questions, question, draft, Number(name) - 1) : undefined;
}

/** The labels of what was chosen and the user's own words; empty where a question was left open. */
export function answersOf(state: QuestionState, questions: readonly Question[]): readonly string[] {
  return questions.map(({ options }, index) => {
    const { chosen, other } = state.drafts[index] ?? { chosen: [], other: emptyField };
    const labels = options.filter((_option, option) => chosen.includes(option)).map(({ label }) => label);
    return [...labels, other.text.trim()].filter((text) => text !== '').join(', ');
  });
}

function confirm(
  state: QuestionState,
  questions: readonly Question[],
  question: Question,
  draft: Draft,
  own: boolean,
): QuestionStep | undefined {
  // In one's own words nothing is no answer; going on without one is what Tab is for.
  if (own && draft.other.text.trim() === '' && draft.chosen.length === 0 && question.options.length > 0)
    return undefined;
  if (own) {
    const alone = question.multiple === true ? draft : { ...draft, chosen: [] };
    return forward(withDraft(state, alone), questions);
  }
  if (question.multiple === true) {
    const chosen = draft.chosen.length === 0 ? [state.row] : draft.chosen;
    return forward(withDraft(state, { ...draft, chosen }), questions);
  }
  return forward(withDraft(state, { chosen: [state.row], other: emptyField }), questions);
}

function byNumber(
  state: QuestionState,
  questions: readonly Question[],
  question: Question,
  draft: Draft,
  option: number,
): QuestionStep | undefined {
  if (question.options[option] === undefined) return undefined;
  const marked = { ...state, row: option };
  return question.multiple === true
    ? { kind: 'state', state: withDraft(marked, toggle(draft, option)) }
    : confirm(marked, questions, question, draft, false);
}

/** One question is sent when it is answered; of several the user sees the answers once more. */
function forward(state: QuestionState, questions: readonly Question[]): QuestionStep {
  if (questions.length === 1) return { kind: 'answers', answers: answersOf(state, questions) };
  return goTo(state, state.current + 1, questions);
}

function reviewKey(
  state: QuestionState,
  questions: readonly Question[],
  name: string,
): QuestionStep | undefined {
  if (name === 'enter') return { kind: 'answers', answers: answersOf(state, questions) };
  if (name === 'shift+tab' || name === 'up') return goTo(state, questions.length - 1, questions);
  const number = Number(name);
  return Number.isInteger(number) && number >= 1 && number <= questions.length
    ? goTo(state, number - 1, questions)
    : undefined;
}

function goTo(state: QuestionState, index: number, questions: readonly Question[]): QuestionStep {
  const current = Math.max(0, Math.min(index, questions.length));
  const [first = 0] = state.drafts[current]?.chosen ?? [];
  return { kind: 'state', state: { ...state, current, row: first, scroll: 0 } };
}

function withDraft(state: QuestionState, draft: Draft): QuestionState {
  return { ...state, drafts: state.drafts.with(state.current, draft) };
}

function toggle(draft: Draft, option: number): Draft {
  const { chosen } = draft;
  return {
    ...draft,
    chosen: chosen.includes(option) ? chosen.filter((index) => index !== option) : [...chosen, option],
  };
}
