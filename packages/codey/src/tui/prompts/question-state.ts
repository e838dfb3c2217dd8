// Questions being answered one after the other, then sent together. Pure.
import type { Question } from '@codey/agent';
import { type Key, keyName } from '../screen/keys.ts';
import { moveSelection } from '../state/selection.ts';
import { editField, emptyField, type TextField } from '../state/text-field.ts';

/** A question as it stands on screen. */
export interface AskedQuestion extends Question {
  /** What kind of answer is wanted, where that is not free. */
  readonly note?: string;
  /** Nothing but the options is an answer. */
  readonly optionsOnly?: boolean;
}

/** What is wrong with an answer, as the end of a sentence: `must be a whole number`. Undefined for one that may be sent. */
export type AnswerCheck = (index: number, answer: string) => string | undefined;

const anythingGoes: AnswerCheck = () => undefined;

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
  /** What is wrong with answers of questions that were left, by index; gone as soon as the answer is changed. */
  readonly problems: ReadonlyMap<number, string>;
}

export function newQuestions(questions: readonly AskedQuestion[]): QuestionState {
  return {
    current: 0,
    row: 0,
    scroll: 0,
    drafts: questions.map(() => ({ chosen: [], other: emptyField })),
    problems: new Map(),
  };
}

/** Rows a mark can stand on: the options, behind them the answer in own words where there may be one. */
export function rowsOf({ options, optionsOnly }: AskedQuestion): number {
  return options.length + (optionsOnly === true ? 0 : 1);
}

export type QuestionStep =
  | { readonly kind: 'state'; readonly state: QuestionState }
  | { readonly kind: 'answers'; readonly answers: readonly string[] };

/**
 * Undefined for a key the prompt has no use for. An answer is looked at when its question is left: Enter does not leave one
 * whose answer cannot be sent, and nothing is sent while there is one.
 */
export function questionKey(
  state: QuestionState,
  questions: readonly AskedQuestion[],
  key: Key,
  check: AnswerCheck = anythingGoes,
): QuestionStep | undefined {
  const question = questions[state.current];
  const draft = state.drafts[state.current];
  const name = keyName(key);
  const asked: Asked = { questions, check };
  if (question === undefined || draft === undefined) return reviewKey(state, asked, name);
  if (name === 'pageUp') return { kind: 'state', state: { ...state, scroll: Math.max(0, state.scroll - 5) } };
  if (name === 'pageDown') return { kind: 'state', state: { ...state, scroll: state.scroll + 5 } };
  if (name === 'tab' && questions.length > 1) return goTo(looked(state, asked), state.current + 1, questions);
  if (name === 'shift+tab') return goTo(looked(state, asked), state.current - 1, questions);
  if (key.kind === 'named' && key.name !== 'home' && key.name !== 'end') {
    const moved = moveSelection(state.row, rowsOf(question), key.name);
    if (moved !== undefined) return { kind: 'state', state: { ...state, row: moved } };
  }
  const own = state.row === question.options.length;
  if (name === 'enter') return confirm(state, asked, question, draft, own);
  if (own) {
    const other = editField(draft.other, key);
    return other && { kind: 'state', state: withDraft(state, { ...draft, other }) };
  }
  if ((name === ' ' || name === 'space') && question.multiple === true) {
    return { kind: 'state', state: withDraft(state, toggle(draft, state.row)) };
  }
  return key.kind === 'text' ? byNumber(state, asked, question, draft, Number(name) - 1) : undefined;
}

/** The labels of what was chosen and the user's own words; empty where a question was left open. */
export function answersOf(state: QuestionState, questions: readonly Question[]): readonly string[] {
  return questions.map(({ options }, index) => {
    const { chosen, other } = state.drafts[index] ?? { chosen: [], other: emptyField };
    const labels = options.filter((_option, option) => chosen.includes(option)).map(({ label }) => label);
    return [...labels, other.text.trim()].filter((text) => text !== '').join(', ');
  });
}

interface Asked {
  readonly questions: readonly AskedQuestion[];
  readonly check: AnswerCheck;
}

/** With what is wrong with the answer before the user noted, or nothing. */
function looked(state: QuestionState, { questions, check }: Asked): QuestionState {
  const { current } = state;
  const problem = check(current, answersOf(state, questions)[current] ?? '');
  const problems = new Map(state.problems);
  if (problem === undefined) problems.delete(current);
  else problems.set(current, problem);
  return { ...state, problems };
}

function confirm(
  state: QuestionState,
  asked: Asked,
  question: AskedQuestion,
  draft: Draft,
  own: boolean,
): QuestionStep | undefined {
  // In one's own words nothing is no answer; going on without one is what Tab is for.
  if (own && draft.other.text.trim() === '' && draft.chosen.length === 0 && question.options.length > 0)
    return undefined;
  if (own) {
    const alone = question.multiple === true ? draft : { ...draft, chosen: [] };
    return forward(withDraft(state, alone), asked);
  }
  if (question.multiple === true) {
    const chosen = draft.chosen.length === 0 ? [state.row] : draft.chosen;
    return forward(withDraft(state, { ...draft, chosen }), asked);
  }
  return forward(withDraft(state, { chosen: [state.row], other: emptyField }), asked);
}

function byNumber(
  state: QuestionState,
  asked: Asked,
  question: AskedQuestion,
  draft: Draft,
  option: number,
): QuestionStep | undefined {
  if (question.options[option] === undefined) return undefined;
  const marked = { ...state, row: option };
  return question.multiple === true
    ? { kind: 'state', state: withDraft(marked, toggle(draft, option)) }
    : confirm(marked, asked, question, draft, false);
}

/** One question is sent when it is answered; of several the user sees the answers once more. */
function forward(state: QuestionState, asked: Asked): QuestionStep {
  const seen = looked(state, asked);
  if (seen.problems.has(state.current)) return { kind: 'state', state: seen };
  if (asked.questions.length === 1) return { kind: 'answers', answers: answersOf(state, asked.questions) };
  return goTo(seen, state.current + 1, asked.questions);
}

function reviewKey(state: QuestionState, asked: Asked, name: string): QuestionStep | undefined {
  const { questions } = asked;
  if (name === 'enter') return send(state, asked);
  if (name === 'shift+tab' || name === 'up') return goTo(state, questions.length - 1, questions);
  const number = Number(name);
  return Number.isInteger(number) && number >= 1 && number <= questions.length
    ? goTo(state, number - 1, questions)
    : undefined;
}

/** Questions that were never looked at count too. The first one that cannot be sent comes before the user. */
function send(state: QuestionState, { questions, check }: Asked): QuestionStep {
  const answers = answersOf(state, questions);
  const problems = new Map(
    answers.flatMap((answer, index): readonly (readonly [number, string])[] => {
      const problem = check(index, answer);
      return problem === undefined ? [] : [[index, problem]];
    }),
  );
  const [first] = problems.keys();
  return first === undefined ? { kind: 'answers', answers } : goTo({ ...state, problems }, first, questions);
}

function goTo(state: QuestionState, index: number, questions: readonly Question[]): QuestionStep {
  const current = Math.max(0, Math.min(index, questions.length));
  const [first = 0] = state.drafts[current]?.chosen ?? [];
  return { kind: 'state', state: { ...state, current, row: first, scroll: 0 } };
}

function withDraft(state: QuestionState, draft: Draft): QuestionState {
  const problems = new Map(state.problems);
  problems.delete(state.current);
  return { ...state, drafts: state.drafts.with(state.current, draft), problems };
}

function toggle(draft: Draft, option: number): Draft {
  const { chosen } = draft;
  return {
    ...draft,
    chosen: chosen.includes(option) ? chosen.filter((index) => index !== option) : [...chosen, option],
  };
}
