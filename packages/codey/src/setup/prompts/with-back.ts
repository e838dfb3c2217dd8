// Lets an interview be gone back in: it is held again with the answers up to the question that is wanted.
import { type Ask, SetupBack } from './prompt.ts';

/**
 * The interview must ask the same questions after the same answers, and do nothing that may not be done twice. Going back
 * beyond the first question is the business of whoever asks.
 */
export async function withBack<Result>(interview: (ask: Ask) => Promise<Result>, ask: Ask): Promise<Result> {
  const answers: unknown[] = [];
  for (;;) {
    let asked = 0;
    try {
      return await interview(async <State, Answer>(prompt: Parameters<typeof ask<State, Answer>>[0]) => {
        if (asked === answers.length) answers.push(await ask(prompt));
        // What the same question was answered with before.
        return answers[asked++] as Answer;
      });
    } catch (error) {
      if (!(error instanceof SetupBack)) throw error;
      answers.pop();
    }
  }
}
