// What a session that ended without a word still owes its watchers.
import type { JournalEntry, JournalLine } from './entry.ts';

type LifecycleEntry = Extract<JournalEntry, { kind: 'lifecycle' }>;
type LifecycleLine = JournalLine & LifecycleEntry;

/**
 * From the journaled lines of one session, in order: the `unblocked`, `tool_result`, `run_end` and `session_end` that
 * never came, in that order. Empty for a session that ended, or that was never journaled. Pure.
 */
export function unfinishedEvents(lines: Iterable<JournalLine>): readonly LifecycleEntry[] {
  const blocked = new Map<string, LifecycleLine>();
  let calls: LifecycleLine[] = [];
  let run: LifecycleLine | undefined;
  let open = false;
  for (const line of lines) {
    if (line.kind !== 'lifecycle') continue;
    open = line.event !== 'session_end';
    switch (line.event) {
      case 'session_start':
      case 'session_end':
        blocked.clear();
        calls = [];
        run = undefined;
        break;
      case 'run_start':
        run = line;
        break;
      case 'run_end':
        run = undefined;
        break;
      case 'blocked':
        blocked.set(line.agent, line);
        break;
      case 'unblocked':
        blocked.delete(line.agent);
        break;
      case 'tool_start':
        calls.push(line);
        break;
      case 'tool_result':
        calls = withoutFirst(calls, line);
        break;
      case 'turn_start':
      case 'paused':
      case 'resumed':
        break;
    }
  }
  if (!open) return [];
  return [
    ...[...blocked.values()].map((line) => closing(line, 'unblocked', { reason: 'closed' })),
    ...calls.map((line) => closing(line, 'tool_result', { error: 'cancelled' })),
    ...(run === undefined ? [] : [closing(run, 'run_end', { reason: 'interrupted' })]),
    { ...nothing, event: 'session_end', agent: 'main', reason: 'crashed' },
  ];
}

const nothing = { kind: 'lifecycle', turn: '', tool: '', reason: '', message: '', error: '' } as const;

function closing(
  opening: LifecycleLine,
  event: 'unblocked' | 'tool_result' | 'run_end',
  said: { readonly reason?: string; readonly error?: string },
): LifecycleEntry {
  const { agent, turn, tool } = opening;
  return { ...nothing, event, agent, turn, tool, ...said };
}

/** Parallel calls of one tool look alike from outside; which of them a result closes makes no difference. */
function withoutFirst(calls: readonly LifecycleLine[], result: LifecycleLine): LifecycleLine[] {
  const at = calls.findIndex(
    ({ agent, turn, tool }) => agent === result.agent && turn === result.turn && tool === result.tool,
  );
  return calls.filter((_, index) => index !== at);
}
