// What hooks did, beside what they judged: quiet where they passed, plain where they blocked, failed or changed something.
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../screen/style.ts';
import type { HookLine } from '../state/block.ts';
import { isPlain } from '../state/transcript.ts';
import { sayDuration } from './duration.ts';

/** Empty where no hook passed quietly. */
export function quietHooks(hooks: readonly HookLine[]): string {
  const quiet = hooks.filter((line) => !isPlain(line));
  if (quiet.length === 0) return '';
  const ms = quiet.reduce((sum, { hook }) => sum + (hook.ms ?? 0), 0);
  return `${quiet.length === 1 ? '1 hook' : `${quiet.length} hooks`} ${sayDuration(ms)}`;
}

export function plainHooks(hooks: readonly HookLine[], style: Style): readonly string[] {
  return hooks.filter(isPlain).map((line) => plainHook(line, style));
}

/** `✗ PreToolUse hook settings.json:12 blocked · 35 ms`. */
export function plainHook({ event, hook }: HookLine, style: Style): string {
  const { outcome, why, verdict, ms, note } = hook;
  const bad = outcome === 'blocked' || outcome === 'failed' || outcome === 'timed-out';
  const sign = outcome === 'passed' || outcome === 'decided' ? '◆' : outcome === 'cancelled' ? '○' : '✗';
  const what = outcome === 'decided' ? `said ${verdict ?? 'something'}` : outcome;
  const facts = [
    why === undefined ? what : `${what} (${why})`,
    ...(note === undefined ? [] : [note]),
    ...(ms === undefined ? [] : [sayDuration(ms)]),
  ];
  const text = `${sign} ${event} hook ${shortSource(hook.source)} ${facts.join(' · ')}`;
  return (bad ? style.red : style.yellow)(sanitise(text, { oneLine: true }));
}

/** The file's name without its folders. */
function shortSource(source: string): string {
  return source.slice(source.lastIndexOf('/') + 1);
}
