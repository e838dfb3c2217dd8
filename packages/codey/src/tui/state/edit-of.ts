// What a call makes of a file's text, for showing the change before and after it is made.

export type Edit =
  | { readonly kind: 'write'; readonly text: string }
  | {
      readonly kind: 'replace';
      readonly oldText: string;
      readonly newText: string;
      readonly everywhere: boolean;
    };

/** Undefined for a call that changes no text of a file. */
export function editOf(tool: string, input: Readonly<Record<string, unknown>>): Edit | undefined {
  const { content, old_string: oldText, new_string: newText, replace_all: everywhere } = input;
  if (tool === 'write_file' && typeof content === 'string') return { kind: 'write', text: content };
  if (tool === 'edit_file' && typeof oldText === 'string' && typeof newText === 'string') {
    return { kind: 'replace', oldText, newText, everywhere: everywhere === true };
  }
  return undefined;
}

/** The text afterwards; where the old text is not found, as if it were all there is. */
export function applyEdit(before: string, edit: Edit): string {
  if (edit.kind === 'write') return edit.text;
  const { oldText, newText, everywhere } = edit;
  if (oldText === '' || !before.includes(oldText)) return newText;
  return everywhere ? before.replaceAll(oldText, () => newText) : before.replace(oldText, () => newText);
}
