// The editor in which a call is changed before it is allowed: one at a time, for the approval that is being changed.
import type { ApprovalAnswer } from '@codey/agent';
import { createTextEditor } from '../screen/editor.ts';
import type { Screen } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import type { OpenPrompt } from '../state/prompt.ts';
import { callAsText, callFromText } from './edited-call.ts';

export interface CallEditor {
  lines(width: number): readonly string[];
  input(data: string): void;
}

export interface CallEditors {
  /** Undefined for a prompt whose call is not being changed. */
  of(prompt: OpenPrompt): CallEditor | undefined;
}

export interface CallEditorPorts {
  readonly screen: Screen;
  readonly style: Style;
  readonly answer: (promptKey: number, answer: ApprovalAnswer) => void;
  readonly change: (prompt: OpenPrompt) => void;
}

type Approval = Extract<OpenPrompt, { kind: 'approval' }>;

export function createCallEditors(ports: CallEditorPorts): CallEditors {
  let open: { readonly promptKey: number; readonly editor: CallEditor } | undefined;
  return {
    of(prompt) {
      if (prompt.kind !== 'approval' || prompt.state.step.kind !== 'edit') {
        if (open?.promptKey === prompt.key) open = undefined;
        return undefined;
      }
      if (open?.promptKey !== prompt.key)
        open = { promptKey: prompt.key, editor: createCallEditor(prompt, ports) };
      return open.editor;
    },
  };
}

function createCallEditor(prompt: Approval, { screen, style, answer, change }: CallEditorPorts): CallEditor {
  const { call } = prompt.request;
  const editor = createTextEditor(screen, style, {
    submit(text) {
      const edited = callFromText(call, text);
      if (edited.ok) {
        answer(prompt.key, { kind: 'edit', input: edited.input });
        return;
      }
      editor.setText(text);
      change({ ...prompt, state: { ...prompt.state, step: { kind: 'edit', problem: edited.problem } } });
    },
    complete: async () => undefined,
  });
  editor.setText(callAsText(call));
  return {
    lines: (width) => editor.lines(width, { focused: true, mark: style.yellow }),
    input: editor.input,
  };
}
