// Puts one yes-or-no question to the person at the screen.
import { waitForHuman } from './prompt.ts';
import type { AgentScope, SessionScope } from '../loop/scope.ts';

export interface YesOrNo {
  /** One word on what it is about: what `blocked` tells the world. */
  readonly header: string;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
}

/** False where nobody can answer, and when it was interrupted. */
export async function confirmWithHuman(
  { header, question, yes, no }: YesOrNo,
  agent: AgentScope,
  session: SessionScope,
): Promise<boolean> {
  const { human } = session;
  if (human === undefined) return false;
  const asked = { header, question, options: [{ label: yes }, { label: no }] };
  try {
    const answers = await waitForHuman(
      agent,
      session,
      { reason: 'question', message: `asked about ${header}`, tool: '', notification: 'question' },
      (signal) => human.answer([asked], { name: agent.name, type: agent.type }, signal),
      () => 'answered',
    );
    return answers[0] === yes;
  } catch {
    return false;
  }
}
