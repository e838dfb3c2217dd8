// The text editor of the composer behind a thin adapter: several lines, undo, folded pastes, a menu of completions.
import { type AutocompleteProvider, Editor } from '@earendil-works/pi-tui';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Completion } from '../composer/completion.ts';
import { fitMenu } from './fit-menu.ts';
import { pasteEnd, pasteStart, readKey } from './keys.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';

export interface CompletionMenu {
  /** Length of the typed part that a choice replaces. */
  readonly replaces: number;
  readonly items: readonly Completion[];
}

export interface EditorPorts {
  readonly submit: (text: string) => void;
  /** `before` is the line up to the cursor. Undefined where there is nothing to complete. */
  readonly complete: (
    before: string,
    firstLine: boolean,
    signal: AbortSignal,
  ) => Promise<CompletionMenu | undefined>;
}

export interface TextEditor {
  /** With a rule above and below it. */
  lines(
    width: number,
    options: { readonly focused: boolean; readonly mark: Style['cyan'] },
  ): readonly string[];
  input(data: string): void;
  /** Folded pastes written out. */
  text(): string;
  setText(text: string): void;
  addToHistory(text: string): void;
  readonly menuOpen: boolean;
}

export function createTextEditor(screen: Screen, style: Style, ports: EditorPorts): TextEditor {
  const editor = new Editor(
    screen.renderer,
    {
      borderColor: style.dim,
      selectList: {
        selectedPrefix: style.cyan,
        selectedText: style.bold,
        description: style.dim,
        scrollInfo: style.dim,
        noMatch: style.dim,
      },
    },
    { paddingX: 1, autocompleteMaxVisible: 6 },
  );
  editor.setAutocompleteProvider(providerOf(ports, () => screen.size.columns));
  editor.onSubmit = ports.submit;
  return {
    lines(width, { focused, mark }) {
      editor.focused = focused;
      editor.borderColor = mark;
      return editor.render(width);
    },
    input(data) {
      const key = readKey(data);
      editor.handleInput(key?.kind === 'paste' ? `${pasteStart}${sanitise(key.text)}${pasteEnd}` : data);
    },
    text: () => editor.getExpandedText(),
    setText: (text) => editor.setText(sanitise(text)),
    addToHistory: (text) => editor.addToHistory(text),
    get menuOpen() {
      return editor.isShowingAutocomplete();
    },
  };
}

function providerOf({ complete }: EditorPorts, columns: () => number): AutocompleteProvider {
  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol, { signal }) {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol);
      const menu = await complete(before, cursorLine === 0, signal);
      if (menu === undefined || menu.items.length === 0) return null;
      const prefix = before.slice(before.length - menu.replaces);
      return {
        prefix,
        items: fitMenu(menu.items, prefix, columns()).map(({ value, label, detail }) => ({
          value,
          label,
          ...(detail !== undefined && { description: detail }),
        })),
      };
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? '';
      const start = line.slice(0, cursorCol - prefix.length) + item.value;
      return {
        lines: lines.with(cursorLine, start + line.slice(cursorCol)),
        cursorLine,
        cursorCol: start.length,
      };
    },
  };
}
