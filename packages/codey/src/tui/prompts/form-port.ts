// Forms of MCP servers, filled in as questions: one a field, each checked as it is left.
import { checkField, type FormAnswer, type FormAsker, type FormPort, type FormRequest } from '@codey/agent';
import type { PromptDesk } from './desk.ts';
import { fieldValue, questionOf } from './form-fields.ts';
import type { AnswerCheck } from './question-state.ts';

export interface FormPorts {
  readonly desk: Pick<PromptDesk, 'fill' | 'decide'>;
  /** Opens an address outside the terminal. */
  readonly openAddress: (url: string) => void;
}

export function createFormPort({ desk, openAddress }: FormPorts): FormPort {
  return {
    async fill(request, signal) {
      const chosen = await desk.decide(
        {
          ...askerOf(request),
          title: `${forWhom(request)} MCP server ${request.server} asks for information`,
          text: request.message,
          choices: [
            { id: 'fill', key: 'y', label: fillLabel(request.form.fields.length) },
            { id: 'decline', key: 'n', label: 'Decline' },
            { id: 'cancel', key: 'c', label: 'Not now' },
          ],
        },
        signal,
      );
      if (chosen !== 'fill') return { action: chosen === 'decline' ? 'decline' : 'cancel' };
      return askFields(request, desk, signal);
    },
    async visit({ server, message, url, ...asker }, signal) {
      const chosen = await desk.decide(
        {
          ...asker,
          title: `${forWhom(asker)} MCP server ${server} wants to open an address`,
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
  request: FormRequest,
  desk: FormPorts['desk'],
  signal: AbortSignal,
): Promise<FormAnswer> {
  const { server, form } = request;
  const { fields } = form;
  const check: AnswerCheck = (index, answer) => {
    const field = fields[index];
    return field && checkField(field, fieldValue(field, answer));
  };
  const answers =
    fields.length === 0
      ? []
      : await desk.fill(fields.map(questionOf), check, { server, ...askerOf(request) }, signal);
  const values = fields.flatMap((field, index) => {
    const value = fieldValue(field, answers[index] ?? '');
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return { action: 'accept', values: Object.fromEntries(values) };
}

function askerOf({ agent, oneOf }: FormAsker): FormAsker {
  return { agent, ...(oneOf !== undefined && { oneOf }) };
}

/** The main agent is not named: nobody else is meant where nobody is. */
function forWhom({ agent: { name }, oneOf }: FormAsker): string {
  if (oneOf !== undefined) return `For one of ${oneOf.join(', ')}: the`;
  return name === 'main' ? 'The' : `For ${name}: the`;
}

function fillLabel(fields: number): string {
  if (fields === 0) return 'Accept';
  return `Fill in ${fields === 1 ? 'one field' : `${fields} fields`}`;
}
