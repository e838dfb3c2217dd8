// What is journaled, as a timeline a person can follow.
import type { JournalEntry, JournaledHook } from '@codey/hooks';

/** A line for the entry and one for each of its hooks; none for entries the timeline leaves out. `names` are by hook id. */
export function timelineLines(
  entry: JournalEntry,
  elapsedMs: number,
  names: ReadonlyMap<string, string>,
): readonly string[] {
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
      // What a rehearsal did not start would have run, and the reader should know.
      const ran = entry.hooks.filter((hook) => hook.outcome !== 'skipped' || hook.why === 'rehearsal');
      if (ran.length === 0) return [];
      const verdict = entry.verdict === 'none' ? '' : `  → ${entry.verdict}`;
      const tool = entry.tool === undefined ? '' : `  ${entry.tool}`;
      return [
        `${at}  ${entry.event}${tool}${verdict}`,
        ...ran.map((hook) => `${' '.repeat(11)}↳ ${sayHook(hook, names)}`),
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

function sayHook(hook: JournaledHook, names: ReadonlyMap<string, string>): string {
  const why = hook.why === undefined ? '' : ` (${hook.why})`;
  const time = hook.ms === undefined ? '' : `, ${Math.round(hook.ms)} ms`;
  const name = names.get(hook.id);
  const who = name === undefined ? hook.source : `${name}, ${hook.source}`;
  return `${who}  ${hook.outcome}${why}${time}`;
}
