// The simple commands of a documented shell line as words. Only what pages need: quotes, comments, pipes and redirects.

/** `a | b 'c d' > file  # why` as `[['a'], ['b', 'c d']]`; a placeholder such as `<id>` is a word. */
export function simpleCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let redirects = false;
  for (const [token] of line.matchAll(
    /<[\w-]+>|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|&;<>])+|[|&;<>]+/g,
  )) {
    // A comment goes to the end of the line.
    if (token.startsWith('#')) break;
    if (/^[|&;]+$/.test(token)) commands.push([]);
    else if (/^[<>]+$/.test(token)) redirects = true;
    else if (redirects) redirects = false;
    else commands.at(-1)?.push(unquote(token));
  }
  return commands.filter((words) => words.length > 0);
}

function unquote(token: string): string {
  return token.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}

/** Lines of a block, with those that end in a backslash joined to the next. */
export function shellLines(text: string): readonly { readonly text: string; readonly offset: number }[] {
  const lines: { text: string; offset: number }[] = [];
  let continues = false;
  for (const [offset, line] of text.split('\n').entries()) {
    const last = lines.at(-1);
    const content = line.replace(/\\$/, '');
    if (continues && last !== undefined) last.text += content;
    else lines.push({ text: content, offset });
    continues = line.endsWith('\\');
  }
  return lines;
}
