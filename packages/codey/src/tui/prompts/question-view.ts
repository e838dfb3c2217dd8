// Questions as lines: the one before the user with its options, and where it stands among the others.
import type { Question } from '@codey/agent';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../screen/style.ts';
import { columnsOf, cut, wrap } from '../screen/text.ts';
import { type OpenPrompt, sayEscape } from '../state/prompt.ts';
import { fieldLine } from '../widgets/field-line.ts';
import { askedBy, behind, type PromptView } from './approval-view.ts';
import { framePrompt } from './frame.ts';
import { type AskedQuestion, answersOf, type QuestionState } from './question-state.ts';

type Asked = Extract<OpenPrompt, { kind: 'question' }>;

export function questionLines(prompt: Asked, { width, rows, waiting, style }: PromptView): readonly string[] {
  const { questions, state } = prompt;
  const question = questions[state.current];
  const several = questions.length > 1;
  const head = several ? [headers(questions, state, width - 2, style), ''] : [];
  return framePrompt(
    {
      title: `${questionedBy(prompt)}${several ? '' : `: ${clean(questions[0]?.header ?? '')}`}${behind(waiting)}`,
      text: [
        ...head,
        ...(question === undefined
          ? ['These are your answers:', ...reviewLines(questions, state, style)]
          : [...wrap(sanitise(question.question), width - 2), ...noteLines(question, width - 2, style)]),
      ],
      scroll: state.scroll,
      choices: question === undefined ? [] : answerLines(question, state, width - 2, style),
      hint: hintOf(question, several, sayEscape(prompt)),
    },
    width,
    rows,
    style,
  );
}

/** A server is named, so that nobody takes its form for the agent's question. */
export function questionedBy({ agent, oneOf, server }: Pick<Asked, 'agent' | 'oneOf' | 'server'>): string {
  if (server === undefined) return askedBy(agent);
  const only = agent.name === 'main' ? undefined : agent.name;
  const whom = oneOf === undefined ? only : `one of ${oneOf.join(', ')}`;
  return `${clean(server)} (MCP server) asks${whom === undefined ? '' : ` for ${clean(whom)}`}`;
}

/** Every question by its name, or where that is too long by its sign, with the name of the one before the user. */
function headers(questions: readonly Question[], state: QuestionState, width: number, style: Style): string {
  const answers = answersOf(state, questions);
  const signs = questions.map((_, index) =>
    state.problems.has(index) ? '✗' : answers[index] === '' ? '○' : '●',
  );
  const { current } = state;
  const mark = (text: string, index: number): string => (index === current ? style.inverse(text) : text);
  const names = questions.map(({ header }, index) => mark(` ${signs[index]} ${clean(header)} `, index));
  const named = [...names, mark(' Send ', questions.length)].join(' ');
  if (columnsOf(named) <= width) return named;
  const place = questions[current] === undefined ? 'Send' : `${current + 1} of ${questions.length}`;
  return `${style.bold(place)}  ${signs.map(mark).join('')}  ${style.bold(clean(questions[current]?.header ?? ''))}`;
}

function reviewLines(questions: readonly Question[], state: QuestionState, style: Style): readonly string[] {
  const answers = answersOf(state, questions);
  return questions.map(({ header }, index) => {
    const answer = clean(answers[index] ?? '');
    const problem = state.problems.get(index);
    const wrong = problem === undefined ? '' : `  ${style.red(`✗ ${clean(problem)}`)}`;
    return `${index + 1}  ${style.bold(clean(header))}: ${answer === '' ? style.dim('no answer') : answer}${wrong}`;
  });
}

function noteLines({ note }: AskedQuestion, width: number, style: Style): readonly string[] {
  return note === undefined ? [] : wrap(sanitise(note), width).map(style.dim);
}

/** What is wrong stands where the answer is, so that it is seen however long the question. */
function answerLines(
  question: AskedQuestion,
  state: QuestionState,
  width: number,
  style: Style,
): readonly string[] {
  const problem = state.problems.get(state.current);
  const wrong = problem === undefined ? [] : wrap(`✗ The answer ${sanitise(problem)}.`, width).map(style.red);
  return [...optionLines(question, state, width, style), ...wrong];
}

function optionLines(
  question: AskedQuestion,
  state: QuestionState,
  width: number,
  style: Style,
): readonly string[] {
  const draft = state.drafts[state.current];
  const chosen = draft?.chosen ?? [];
  const options = question.options.map(({ label, description }, index) => {
    const box = question.multiple === true ? (chosen.includes(index) ? '[x] ' : '[ ] ') : '';
    const text = `${index + 1}  ${box}${clean(label)}`;
    const meaning = description === undefined ? '' : style.dim(`  ${clean(description)}`);
    return cut((index === state.row ? style.inverse(`› ${text} `) : `  ${text} `) + meaning, width);
  });
  if (question.optionsOnly === true) return options;
  const own = state.row === question.options.length;
  const typed = draft?.other.text ?? '';
  const ownLine =
    own && draft !== undefined ? `› ${fieldLine(draft.other, width - 2, style)}` : `  ${clean(typed)}`;
  return [...options, own || typed !== '' ? ownLine : style.dim('  your own answer')];
}

function hintOf(question: AskedQuestion | undefined, several: boolean, onEscape: string): string {
  if (question === undefined) return `Enter sends them · a number goes back to that question · ${onEscape}`;
  const choose =
    question.multiple === true
      ? 'Space marks · Enter goes on'
      : question.options.length === 0
        ? 'Enter goes on'
        : '↑↓ Enter or the number';
  return `${choose}${several ? ' · Tab next question' : ''} · ${onEscape}`;
}

function clean(text: string): string {
  return sanitise(text, { oneLine: true });
}
