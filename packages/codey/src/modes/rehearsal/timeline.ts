// What is journaled, as a timeline a person can follow.
import type { JournalEntry, JournaledHook } from '@codey/hooks';

/** One line an entry, two for hooks with something to tell; undefined for entries the timeline leaves out. */
export function timelineLines(entry: JournalEntry, elapsedMs: number): readonly string[] {
  const at = `${(elapsedMs / 1000).toFixed(2).padStart(6)} s`;
  switch (entry.kind) {
    case 'lifecycle': {
      const facts = [entry.tool, entry.reason, entry.error, entry.message]
        .filter((fact) => fact !== '')
        .join('  ');
      const turn = entry.event === 'turn_start' ? `turn ${entry.turn}` : facts;
      return [`${at}  ${entry.event.padEnd(20)}${turn}`.trimEnd()];
    }
    case 'dispatch': {
      if (isLifecycle(entry.event) && entry.hooks.length === 0) return [];
      const ran = entry.hooks.filter((hook) => hook.outcome !== 'skipped');
      if (ran.length === 0) return [];
      const verdict = entry.verdict === 'none' ? '' : `  → ${entry.verdict}`;
      const tool = entry.tool === undefined ? '' : `  ${entry.tool}`;
      return [
        `${at}  ${entry.event}${tool}${verdict}`,
        ...ran.map((hook) => `${' '.repeat(11)}↳ ${sayHook(hook)}`),
      ];
    }
    case 'gate':
      return entry.decision === 'denied' ? [`${at}  denied               ${entry.tool}  (${entry.by})`] : [];
    case 'hook_error':
    case 'notice':
      return [];
  }
}

function isLifecycle(event: string): boolean {
  return event === event.toLowerCase();
}

function sayHook(hook: JournaledHook): string {
  const why = hook.why === undefined ? '' : ` (${hook.why})`;
  const time = hook.ms === undefined ? '' : `, ${Math.round(hook.ms)} ms`;
  return `${hook.source}  ${hook.outcome}${why}${time}`;
}
