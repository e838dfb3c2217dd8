// A trace for a terminal: a line a span, its name on the left and its time as a bar on the right.
import type { Span, Trace } from './span.ts';

/** `columns` is the width of the terminal. What did not run is left out; nothing is cleaned. */
export function renderWaterfall(trace: Trace, columns: number): string {
  const depths = depthsOf(trace.spans);
  const shown = trace.spans.filter(
    ({ kind, state }) => !(kind === 'hook' || kind === 'dispatch') || state !== 'quiet',
  );
  const names = Math.min(46, Math.max(24, Math.floor(columns * 0.42)));
  const bars = Math.max(12, columns - names - 11);
  return [
    `session ${trace.session}  ${trace.started.slice(0, 19).replace('T', ' ')} UTC  ${sayMs(trace.ms)}`,
    trace.root,
    '',
    ...shown.map((span) => {
      const name = cut(`${'  '.repeat(depths[span.id] ?? 0)}${label(span)}`, names);
      const bar = drawBar(span, trace.ms, bars);
      return `${name.padEnd(names)} ${bar} ${sayMs(span.end - span.start).padStart(8)}${mark(span, trace.live)}`.trimEnd();
    }),
    '',
    summary(trace),
  ].join('\n');
}

/** How deep each span lies, by its id. */
export function depthsOf(spans: readonly Span[]): readonly number[] {
  const depths: number[] = [];
  for (const { parent } of spans) depths.push(parent === null ? 0 : (depths[parent] ?? 0) + 1);
  return depths;
}

export function sayMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1000)} s`;
}

function label({ kind, name, agent, facts }: Span): string {
  const who = agent === 'main' || kind === 'hook' ? '' : `${agent}: `;
  switch (kind) {
    case 'wait':
      return `${who}waits: ${facts.for ?? name}`;
    case 'call':
      return `${who}${name}  ${facts.call ?? ''}`;
    case 'tool':
      return `${who}runs`;
    case 'agent':
      return name;
    case 'dispatch':
      return `${who}${name}${facts.verdict === undefined ? '' : ` → ${facts.verdict}`}`;
    default:
      return `${who}${name}`;
  }
}

/** What a bar cannot show. */
function mark({ kind, state, open, facts }: Span, live: boolean): string {
  if (open) return live ? '  still running' : '  not ended';
  if (state !== 'bad') return '';
  if (kind === 'call') return `  denied by ${facts.denied ?? 'a hook'}`;
  return `  ${facts.outcome ?? facts.error ?? facts.ended ?? facts.verdict ?? 'failed'}`;
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** At least a sliver, so that nothing that happened is invisible. */
function drawBar({ start, end }: Span, ms: number, width: number): string {
  const scale = ms === 0 ? 0 : width / ms;
  const from = Math.min(width - 1, Math.floor(start * scale));
  const length = Math.max(1, Math.round(Math.min(end * scale - from, width - from) * 8));
  const bar = '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '');
  return `${' '.repeat(from)}${bar}`.padEnd(width).slice(0, width);
}

function summary({ spans }: Trace): string {
  const count = (kind: Span['kind'], state?: Span['state']) =>
    spans.filter(
      (span) => span.kind === kind && (state === undefined ? span.state !== 'quiet' : span.state === state),
    ).length;
  const parts = [
    plural(count('turn'), 'turn'),
    plural(count('call'), 'call'),
    ...(count('call', 'bad') > 0 ? [`${count('call', 'bad')} denied`] : []),
    plural(count('hook'), 'hook run'),
    ...(count('hook', 'bad') > 0 ? [`${count('hook', 'bad')} blocked or failed`] : []),
  ];
  return parts.join(', ');
}

function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
