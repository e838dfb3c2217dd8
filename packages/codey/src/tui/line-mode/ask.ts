// Puts a prompt before the user as lines and reads the answer, until there is one.
import { reveal, sanitise } from '../../terminal/sanitise.ts';
import type { PickItem } from '../panels/pick.ts';
import { askedBy } from '../prompts/approval-view.ts';
import { questionedBy } from '../prompts/question-view.ts';
import type { AskedQuestion } from '../prompts/question-state.ts';
import { plainStyle } from '../screen/style.ts';
import type { OpenPrompt, PromptAnswer } from '../state/prompt.ts';
import { callLines } from '../widgets/call-lines.ts';
import { readApproval, readDecision, readPick, readQuestion } from './answers.ts';
import type { LineReader } from './line-reader.ts';

export interface AskPorts {
  readonly reader: LineReader;
  readonly print: (line: string) => void;
  readonly width: number;
}

/** Undefined when the input ended before there was an answer. */
export async function askInLines(prompt: OpenPrompt, ports: AskPorts): Promise<PromptAnswer | undefined> {
  switch (prompt.kind) {
    case 'approval': {
      const { request } = prompt;
      for (const line of approvalText(prompt, ports.width)) ports.print(line);
      const remember =
        request.pattern === undefined ? '' : `, a always for ${reveal(request.pattern)} (p in this project)`;
      const answer = await untilRead(
        `y once${remember}, n [why] > `,
        (line) => readApproval(line, request),
        ports,
      );
      return answer && { kind: 'approval', answer };
    }
    case 'question':
      return askQuestions(prompt, ports);
    case 'decision': {
      const { request } = prompt;
      for (const line of [request.title, ...request.text.split('\n')]) ports.print(reveal(line));
      for (const { key, label } of request.choices) ports.print(`  ${key}  ${label}`);
      const chosen = await untilRead('> ', (line) => readDecision(line, request), ports);
      // The first choice is the one that changes least.
      return { kind: 'decision', chosen: chosen ?? request.choices[0]?.id ?? '' };
    }
  }
}

/** Undefined when nothing was chosen. */
export async function pickInLines(
  title: string,
  items: readonly PickItem[],
  empty: string,
  ports: AskPorts,
): Promise<string | undefined> {
  ports.print(title);
  if (items.length === 0) ports.print(`  ${empty}`);
  for (const [index, { label, detail = '' }] of items.entries()) {
    ports.print(sanitise(`  ${index + 1}  ${label}  ${detail}`, { oneLine: true }));
  }
  const values = items.map(({ value }) => value);
  const picked =
    items.length === 0 ? '' : await untilRead('number > ', (line) => readPick(line, values), ports);
  return picked === '' ? undefined : picked;
}

function approvalText(
  { request, before }: Extract<OpenPrompt, { kind: 'approval' }>,
  width: number,
): readonly string[] {
  return [
    `${askedBy(request.agent)}: may ${reveal(request.call.tool, { oneLine: true })} run?`,
    ...callLines(request.call, before, width, plainStyle, reveal),
    `asked because: ${reveal(request.reason, { oneLine: true })}`,
  ];
}

async function askQuestions(
  prompt: Extract<OpenPrompt, { kind: 'question' }>,
  ports: AskPorts,
): Promise<PromptAnswer | undefined> {
  const { questions, check } = prompt;
  const answers: string[] = [];
  ports.print(`${questionedBy(prompt)}:`);
  for (const [index, question] of questions.entries()) {
    for (const line of questionText(question)) ports.print(line);
    const answer = await untilRead(
      question.optionsOnly === true ? 'number > ' : 'number or your own words > ',
      (line) => {
        const read = readQuestion(line, question);
        const problem = read === undefined ? undefined : check?.(index, read);
        if (problem === undefined) return read;
        ports.print(sanitise(`The answer ${problem}.`, { oneLine: true }));
        return undefined;
      },
      ports,
    );
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return { kind: 'question', answers };
}

function questionText({ question, options, note }: AskedQuestion): readonly string[] {
  return [
    ...sanitise(question).split('\n'),
    ...(note === undefined ? [] : sanitise(`(${note})`).split('\n')),
    ...options.map(({ label, description = '' }, index) =>
      sanitise(`  ${index + 1}  ${label}  ${description}`, { oneLine: true }),
    ),
  ];
}

async function untilRead<Answer>(
  prompt: string,
  read: (line: string) => Answer | undefined,
  { reader, print }: AskPorts,
): Promise<Answer | undefined> {
  for (;;) {
    const line = await reader.ask(prompt, { fresh: true });
    if (line === undefined) return undefined;
    const answer = read(line);
    if (answer !== undefined) return answer;
    print('That is none of the answers.');
  }
}
