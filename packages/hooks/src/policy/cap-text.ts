// Keeps a hook's text for the model to a size that does not crowd out the conversation.
import type { HookDefinition } from '../config/hook.ts';
import type { Answer, Verdict } from './decision.ts';
import type { EnginePorts } from './ports.ts';

/** Characters of one hook's text that reach the model. */
export const modelTextCap = 10_000;

/** Cuts every text of an answer that the model reads; the whole text stands in a file that the cut names. */
export async function capAnswer(
  answer: Answer,
  hook: HookDefinition,
  spill: EnginePorts['spill'],
): Promise<Answer> {
  const { additionalContext, updatedToolOutput, verdict } = answer;
  const texts = [additionalContext, updatedToolOutput, reasonOf(verdict)];
  if (texts.every((text) => text === undefined || text.length <= modelTextCap)) return answer;
  const cut = (text: string): Promise<string> => capText(text, (whole) => spill(hook, whole));
  return {
    ...answer,
    verdict: await capVerdict(verdict, cut),
    ...(additionalContext !== undefined && { additionalContext: await cut(additionalContext) }),
    ...(updatedToolOutput !== undefined && { updatedToolOutput: await cut(updatedToolOutput) }),
  };
}

function reasonOf(verdict: Verdict): string | undefined {
  return verdict.kind === 'none' ? undefined : verdict.reason;
}

async function capVerdict(verdict: Verdict, cut: (text: string) => Promise<string>): Promise<Verdict> {
  if (verdict.kind === 'none' || verdict.reason === undefined) return verdict;
  return { ...verdict, reason: await cut(verdict.reason) };
}

async function capText(text: string, spill: (text: string) => Promise<string | undefined>): Promise<string> {
  if (text.length <= modelTextCap) return text;
  const file = await spill(text);
  const rest = file === undefined ? 'the rest could not be kept' : `the whole text is in ${file}`;
  const note = `\n[cut: ${text.length} characters, ${rest}]`;
  return wholeCharacters(text, modelTextCap - note.length) + note;
}

/** Never cuts a surrogate pair in two. */
function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
