// The editor in which a call is changed before it is allowed.
import type { ApprovalAnswer } from '@codey/agent';
import { createTextEditor } from '../screen/editor.ts';
import type { Screen } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import type { OpenPrompt } from '../state/prompt.ts';
import { callAsText, callFromText } from './edited-call.ts';

export interface CallEditor {
  readonly promptKey: number;
  lines(width: number): readonly string[];
  input(data: string): void;
}

export function createCallEditor(
  { key, request }: Extract<OpenPrompt, { kind: 'approval' }>,
  screen: Screen,
  style: Style,
  ports: { readonly done: (answer: ApprovalAnswer) => void; readonly problem: (text: string) => void },
): CallEditor {
  const editor = createTextEditor(screen, style, {
    submit(text) {
      const edited = callFromText(request.call, text);
      if (edited.ok) return ports.done({ kind: 'edit', input: edited.input });
      editor.setText(text);
      ports.problem(edited.problem);
    },
    complete: async () => undefined,
  });
  editor.setText(callAsText(request.call));
  return {
    promptKey: key,
    lines: (width) => editor.lines(width, { focused: true, mark: style.yellow }),
    input: editor.input,
  };
}
