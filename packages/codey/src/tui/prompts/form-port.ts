// Forms of MCP servers, filled in as questions: one a field, asked again where an answer does not fit.
import {
  checkField,
  type FormAnswer,
  type FormField,
  type FormPort,
  type FormRequest,
  type FormValues,
  type Question,
} from '@codey/agent';
import type { PromptDesk } from './desk.ts';

export interface FormPorts {
  readonly desk: Pick<PromptDesk, 'human' | 'decide'>;
  /** Opens an address outside the terminal. */
  readonly openAddress: (url: string) => void;
}

export function createFormPort({ desk, openAddress }: FormPorts): FormPort {
  return {
    async fill(request, signal) {
      const chosen = await desk.decide(
        {
          title: `The MCP server ${request.server} asks for information`,
          text: request.message,
          choices: [
            { id: 'fill', key: 'y', label: `Answer (${request.form.fields.length} questions)` },
            { id: 'decline', key: 'n', label: 'Decline' },
            { id: 'cancel', key: 'c', label: 'Not now' },
          ],
        },
        signal,
      );
      if (chosen !== 'fill') return { action: chosen === 'decline' ? 'decline' : 'cancel' };
      return askFields(request, desk, signal);
    },
    async visit({ server, message, url }, signal) {
      const chosen = await desk.decide(
        {
          title: `The MCP server ${server} wants to open an address`,
          text: `${message}\n\n${url}`,
          choices: [
            { id: 'decline', key: 'n', label: 'Decline' },
            { id: 'accept', key: 'y', label: 'Open it' },
            { id: 'cancel', key: 'c', label: 'Not now' },
          ],
        },
        signal,
      );
      if (chosen !== 'accept') return chosen === 'decline' ? 'decline' : 'cancel';
      openAddress(url);
      return 'accept';
    },
  };
}

async function askFields(
  { server, form }: FormRequest,
  desk: FormPorts['desk'],
  signal: AbortSignal,
): Promise<FormAnswer> {
  const values: Record<string, unknown> = {};
  const agent = { name: server, type: 'MCP server' };
  let open = form.fields.map((field) => ({ field, problem: '' }));
  while (open.length > 0) {
    const answers = await desk.human.answer(
      open.map(({ field, problem }) => questionOf(field, problem)),
      agent,
      signal,
    );
    open = open.flatMap(({ field }, index) => {
      const value = fieldValue(field, answers[index] ?? '');
      const problem = checkField(field, value);
      if (problem !== undefined) return [{ field, problem }];
      if (value !== undefined) values[field.name] = value;
      return [];
    });
  }
  return { action: 'accept', values: values satisfies FormValues };
}

/** A field as a question; what was wrong with the last answer stands before it. */
export function questionOf(
  { title, description, kind, required, initial }: FormField,
  problem: string,
): Question {
  const suggested = initial === undefined ? '' : ` Left empty it is ${JSON.stringify(initial)}.`;
  const optional = required || initial !== undefined ? '' : ' May be left empty.';
  const question = `${problem === '' ? '' : `The answer ${problem}. `}${description || title}${suggested}${optional}`;
  const header = title.slice(0, 60);
  switch (kind.kind) {
    case 'yes-no':
      return { header, question, options: [{ label: 'Yes' }, { label: 'No' }] };
    case 'one-of':
      return { header, question, options: kind.choices.map(({ label }) => ({ label })) };
    case 'some-of':
      return { header, question, options: kind.choices.map(({ label }) => ({ label })), multiple: true };
    case 'text':
    case 'number':
      return { header, question, options: [] };
  }
}

/** Undefined for an answer that was left out. What fits no field is given back as it is: the check says what is wrong. */
export function fieldValue({ kind, initial }: FormField, answer: string): unknown {
  const text = answer.trim();
  if (text === '') return initial;
  switch (kind.kind) {
    case 'yes-no':
      return text === 'Yes' ? true : text === 'No' ? false : text;
    case 'number':
      return Number(text);
    case 'one-of':
      return kind.choices.find(({ label, value }) => label === text || value === text)?.value ?? text;
    case 'some-of': {
      const chosen = kind.choices.filter(({ label }) => text.split(', ').includes(label));
      return chosen.length === 0 ? [text] : chosen.map(({ value }) => value);
    }
    case 'text':
      return answer;
  }
}
