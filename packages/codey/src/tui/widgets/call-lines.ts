// What a call would do, whole: the command line, the change to a file, else its input.
import { applyEdit, editOf } from '../state/edit-of.ts';
import type { Style } from '../screen/style.ts';
import { wrap } from '../screen/text.ts';
import { diffLines } from './diff.ts';

interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `clean` makes a foreign string safe: it takes out what a terminal would act on, or spells it where it is approved. */
export type Clean = (text: string, options?: { readonly oneLine?: boolean }) => string;

export function callLines(
  { tool, input }: Call,
  before: string | undefined,
  width: number,
  style: Style,
  clean: Clean,
): readonly string[] {
  const { command, path } = input;
  if (tool === 'run_shell' && typeof command === 'string') {
    return [
      ...commandLines(clean(command), width, style),
      ...restLines(input, ['command'], width, style, clean),
    ];
  }
  const edit = editOf(tool, input);
  if (edit !== undefined && typeof path === 'string') {
    const old = before ?? (edit.kind === 'replace' ? edit.oldText : '');
    return [
      style.bold(clean(path, { oneLine: true })),
      ...diffLines(clean(old), clean(applyEdit(old, edit)), { numbered: before !== undefined, width, style }),
      ...restLines(input, ['path', 'content', 'old_string', 'new_string'], width, style, clean),
    ];
  }
  return restLines(input, [], width, style, clean);
}

function commandLines(command: string, width: number, style: Style): readonly string[] {
  return command.split('\n').flatMap((line, index) =>
    wrap(line, width - 2).map((part, row) => {
      const sign = row > 0 ? '  ' : index === 0 ? '$ ' : '> ';
      return `${style.dim(sign)}${style.bold(part)}`;
    }),
  );
}

function restLines(
  input: Call['input'],
  shown: readonly string[],
  width: number,
  style: Style,
  clean: Clean,
): readonly string[] {
  return Object.entries(input)
    .filter(([name]) => !shown.includes(name))
    .flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return wrap(`${style.dim(`${clean(name, { oneLine: true })}:`)} ${clean(text)}`, width);
    });
}
