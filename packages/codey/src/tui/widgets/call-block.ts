// A tool call in the transcript: one line on what it is and what became of it, hooks that matter, and what it gave back.
import { reveal, sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../screen/style.ts';
import { cut, ends, wrap } from '../screen/text.ts';
import type { CallBlock } from '../state/block.ts';
import { editOf } from '../state/edit-of.ts';
import { callLines } from './call-lines.ts';
import { sayDuration } from './duration.ts';
import { plainHooks, quietHooks } from './hook-lines.ts';

/** Lines of an unfolded body that are shown while it is folded. */
const foldedLines = 6;

export function callBlockLines(
  block: CallBlock,
  unfolded: boolean,
  width: number,
  style: Style,
): readonly string[] {
  const indent = width - 4;
  const body = bodyLines(block, unfolded, indent, style);
  const shown = unfolded ? body : fold(body, keepsEnd(block), style);
  return [
    headLine(block, width, style),
    ...plainHooks(block.hooks, style).map((line) => cut(`    ${line}`, width)),
    ...shown.map((line) => `    ${line}`),
  ];
}

function headLine(block: CallBlock, width: number, style: Style): string {
  const { tool, agent } = block;
  const who = agent === 'main' ? '' : style.dim(`${clean(agent)} · `);
  const left = `${signOf(block, style)} ${who}${style.bold(spelt(tool))} ${spelt(summaryOf(block))}`;
  return ends(left, style.dim(timesOf(block)), width);
}

/** What the tool itself took, then its hooks: `ran 5 ms · 1 hook 6 ms`. */
function timesOf({ end, hooks }: CallBlock): string {
  const quiet = quietHooks(hooks);
  const ran = end.kind === 'done' && Math.round(end.ms) > 0 ? sayDuration(end.ms) : '';
  if (quiet === '' || ran === '') return ran + quiet;
  return `ran ${ran} · ${quiet}`;
}

function signOf({ end }: CallBlock, style: Style): string {
  switch (end.kind) {
    case 'held':
      return style.dim('▹');
    case 'running':
      return style.yellow('▸');
    case 'done':
      return end.failed ? style.red('✗') : style.green('✓');
    case 'denied':
      return style.red('⊘');
  }
}

/** The argument that says most. */
export function summaryOf({ input }: Pick<CallBlock, 'input'>): string {
  const { command, path, url, pattern, query, prompt, name, questions, todos } = input;
  const told = [command, pattern, path, url, query, prompt, name].find((value) => typeof value === 'string');
  const listed = namesIn(questions, 'header') ?? namesIn(todos, 'content');
  const text = typeof told === 'string' ? told : (listed ?? JSON.stringify(input));
  return text === '{}' ? '' : (text.trim().split('\n', 1)[0] ?? '');
}

/** What each entry of a list is called; undefined where that is no list of such entries. */
function namesIn(list: unknown, key: string): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const names = list.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null ? Reflect.get(entry, key) : undefined,
  );
  return names.every((name) => typeof name === 'string') ? names.join(', ') : undefined;
}

function bodyLines(block: CallBlock, unfolded: boolean, width: number, style: Style): readonly string[] {
  const { end, tool, input } = block;
  if (end.kind === 'held') return [];
  if (end.kind === 'denied') return wrap(style.red(`not run: ${sanitise(end.reason)}`), width);
  const changes = editOf(tool, input) !== undefined;
  const what = changes || unfolded ? callLines(block, block.before, width, style, sanitise) : [];
  if (end.kind === 'running') {
    return [...what, ...block.tail.filter(Boolean).map((line) => style.dim(cut(clean(line), width)))];
  }
  // A change that was made is its own result.
  if (changes && !end.failed && !unfolded) return what.slice(1);
  if (end.saidAbove === true && !unfolded) return [];
  const output = sanitise(end.output).trimEnd();
  const paint = end.failed ? style.red : style.dim;
  const lines = output === '' ? [] : wrap(output, width).map(paint);
  if (!unfolded && isReading(block)) return lines.length < 2 ? lines : [style.dim(`${lines.length} lines`)];
  return [...what, ...lines];
}

function fold(lines: readonly string[], end: boolean, style: Style): readonly string[] {
  if (lines.length <= foldedLines + 1) return lines;
  const more = style.dim(`… ${lines.length - foldedLines} more lines · Ctrl+O`);
  return end ? [more, ...lines.slice(-foldedLines)] : [...lines.slice(0, foldedLines), more];
}

/** Of a command's output the end says how it went. */
function keepsEnd({ tool, end }: CallBlock): boolean {
  return end.kind === 'done' && (tool === 'run_shell' || tool === 'shell_output');
}

const readingTools: ReadonlySet<string> = new Set([
  'read_file',
  'list_directory',
  'glob_search',
  'grep_search',
  'web_fetch',
  'get_skill',
]);

function isReading({ tool, end }: CallBlock): boolean {
  return readingTools.has(tool) && end.kind === 'done' && !end.failed;
}

/** What runs is shown with nothing left out: a part that is not seen would run unseen. */
function spelt(text: string): string {
  return reveal(text, { oneLine: true });
}

function clean(text: string): string {
  return sanitise(text, { oneLine: true });
}
