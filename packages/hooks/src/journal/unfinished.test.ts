import { expect, it } from 'vitest';
import type { JournalLine } from './entry.ts';
import { unfinishedEvents } from './unfinished.ts';

type Event = Extract<JournalLine, { kind: 'lifecycle' }>['event'];

function line(event: Event, values: { agent?: string; turn?: string; tool?: string } = {}): JournalLine {
  return {
    time: '2026-01-01T00:00:00.000Z',
    session: 's',
    pid: 1,
    n: 1,
    kind: 'lifecycle',
    event,
    agent: 'main',
    turn: '',
    tool: '',
    reason: '',
    message: '',
    error: '',
    ...values,
  };
}

const shell = { turn: '2', tool: 'run_shell' };
const theirs = { agent: 'reviewer', turn: '1', tool: 'edit_file' };

const cases: [name: string, lines: JournalLine[], missing: string[]][] = [
  ['nothing for a session that was never journaled', [], []],
  ['nothing for a session that ended', [line('session_start'), line('run_start'), line('session_end')], []],
  ['only the end of an idle session', [line('session_start')], ['session_end main crashed']],
  [
    'the run, the calls and the prompts of all agents, in this order',
    [
      line('session_start'),
      line('run_start'),
      line('tool_start', shell),
      line('tool_start', shell),
      line('tool_result', shell),
      line('blocked', theirs),
      line('blocked', shell),
    ],
    [
      'unblocked reviewer 1 edit_file closed',
      'unblocked main 2 run_shell closed',
      'tool_result main 2 run_shell cancelled',
      'run_end main interrupted',
      'session_end main crashed',
    ],
  ],
  [
    'nothing of a run or prompt that ended',
    [line('run_start'), line('blocked', shell), line('unblocked', shell), line('run_end')],
    ['session_end main crashed'],
  ],
  [
    'what the part after a resume left open',
    [line('run_start'), line('session_end'), line('session_start'), line('run_start')],
    ['run_end main interrupted', 'session_end main crashed'],
  ],
];

it.each(cases)('is %s [contract.journal.dead-owner]', (_, lines, missing) => {
  const found = unfinishedEvents(lines).map(({ event, agent, turn, tool, reason, error }) =>
    [event, agent, turn, tool, reason, error].filter((value) => value !== '').join(' '),
  );
  expect(found).toEqual(missing);
});
