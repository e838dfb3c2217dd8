// A call as text that can be changed, and back.
import type { ApprovalRequest } from '@codey/agent';

type Call = ApprovalRequest['call'];

/** The command line of a shell call, the input of any other as JSON. */
export function callAsText({ tool, input }: Call): string {
  return tool === 'run_shell' && typeof input.command === 'string'
    ? input.command
    : JSON.stringify(input, null, 2);
}

export type EditedCall =
  | { readonly ok: true; readonly input: Call['input'] }
  /** One sentence on why the text is no input. */
  | { readonly ok: false; readonly problem: string };

export function callFromText({ tool, input }: Call, text: string): EditedCall {
  if (tool === 'run_shell' && typeof input.command === 'string') {
    return text.trim() === ''
      ? { ok: false, problem: 'An empty command cannot run; press Esc to go back.' }
      : { ok: true, input: { ...input, command: text } };
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return { ok: true, input: parsed as Call['input'] };
    }
    return { ok: false, problem: 'The input must stay a JSON object.' };
  } catch (error) {
    return {
      ok: false,
      problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
