// Puts questions to the person.
import * as v from 'valibot';
import description from './ask-user.md';
import { flagField, textField } from './fields.ts';
import { cancelled, failed, ok } from './result.ts';
import { defineTool } from './tool.ts';

export interface Question {
  /** What it is about, in a few words. */
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string | undefined }[];
  readonly multiple?: boolean | undefined;
}

/** One answer a question, in order; an empty one was left open. Rejects when the signal aborts. */
export type AskUser = (questions: readonly Question[], signal: AbortSignal) => Promise<readonly string[]>;

const shortText = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(/\S/, 'must not be empty'),
    v.maxLength(60, 'must have at most 60 characters'),
    v.description(what),
  );

const question = v.strictObject({
  header: shortText('The subject in a few words, such as Storage.'),
  question: v.pipe(textField('The question.'), v.regex(/\S/, 'must not be empty')),
  options: v.pipe(
    v.array(
      v.strictObject({
        label: shortText('The choice in a few words.'),
        description: v.optional(textField('What choosing it means.')),
      }),
    ),
    v.minLength(2, 'must hold two to ten options'),
    v.maxLength(10, 'must hold two to ten options'),
  ),
  multiple: v.optional(flagField('Several options may be chosen.')),
});

export const askUser = defineTool({
  name: 'ask_user',
  description,
  input: v.strictObject({
    questions: v.pipe(
      v.array(question),
      v.minLength(1, 'must hold one to four questions'),
      v.maxLength(4, 'must hold one to four questions'),
    ),
  }),
  access: 'free',
  subject: () => ({ kind: 'none' }),
  async run({ questions }, { askUser: ask, signal }) {
    if (ask === undefined) {
      return failed('Nobody is here to answer. Decide yourself, say what you assumed, and go on.');
    }
    try {
      const answers = await ask(questions, signal);
      return ok(
        questions.map(({ header }, index) => `${header}: ${answers[index] || '(no answer)'}`).join('\n'),
      );
    } catch (error) {
      if (signal.aborted) return cancelled('The question was withdrawn before it was answered.');
      throw error;
    }
  },
});
