// When the world is told that somebody is waited for, and when not.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Human } from '../src/gate/human.ts';
import type { LiveSession } from '../src/live-session.ts';
import { type Answer, modelOf, openWholeSession } from './whole-session.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'waiting-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (tool: string, input: Record<string, unknown>): Answer => ({ calls: [{ tool, input }] });

async function open(answers: readonly (Answer | (() => Promise<Answer>))[], human?: Human) {
  let position = 0;
  const model = modelOf(() => {
    const next = answers[position] ?? { text: 'done' };
    position += 1;
    return typeof next === 'function' ? next() : next;
  });
  const { started, journal } = await openWholeSession({
    projectRoot: folder,
    home: join(folder, 'home'),
    model,
    ...(human !== undefined && { human }),
  });
  if (started.kind === 'blocked') throw new Error(started.reason);
  const { session } = started;
  return { session, told: () => journal.flatMap((entry) => (entry.kind === 'lifecycle' ? [entry] : [])) };
}

const leave = (session: LiveSession) =>
  session.close({ reason: 'exit', hurry: new AbortController().signal });

const nobody: Human = {
  approve: () => Promise.reject(new Error('nothing is to be approved here')),
  answer: () => Promise.reject(new Error('nothing is to be asked here')),
};

it('a question of ask_user is published while it waits, with its headings [codey.blocked.on-ask-user, codey.blocked.reason-names-kind, codey.herdr.message-question]', async () => {
  let whileWaiting: readonly unknown[] = [];
  const { session, told } = await open(
    [
      call('ask_user', {
        questions: [
          { header: 'Storage', question: 'Where?', options: [{ label: 'disk' }, { label: 'memory' }] },
          { header: 'Error handling', question: 'How?', options: [{ label: 'retry' }, { label: 'fail' }] },
        ],
      }),
    ],
    {
      ...nobody,
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        whileWaiting = told().map(({ event, reason, message }) => [event, reason, message]);
        return ['disk', 'retry'];
      },
    },
  );
  expect((await session.prompt('go')).stop).toBe('completed');
  await leave(session);
  expect(whileWaiting.at(-1)).toEqual(['blocked', 'question', 'asked about Storage, Error handling']);
  expect(told().filter(({ event }) => event === 'unblocked')).toMatchObject([{ reason: 'answered' }]);
});

it('a slow model, a long call and an approval settled without a prompt publish no blocked [codey.blocked.only-for-humans]', async () => {
  const slow = async (): Promise<Answer> => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return call('run_shell', { command: 'ls; sleep 0.1' });
  };
  const { session, told } = await open([slow, call('run_shell', { command: 'ls' })], {
    ...nobody,
    approve: async () => ({ kind: 'once' }),
  });
  await session.prompt('go');
  await leave(session);
  const events = told().map(({ event, tool }) => `${event} ${tool}`);
  expect(events.filter((line) => line.startsWith('blocked'))).toHaveLength(1);
  expect(events.indexOf('blocked run_shell')).toBeLessThan(events.indexOf('tool_start run_shell'));
});

it('a held loop is let go before its next turn [codey.paused.resumed-on-release, codey.paused.at-turn-boundary]', async () => {
  const { session, told } = await open([call('read_file', { path: 'nowhere' })]);
  const first = told().length;
  session.pause();
  const running = session.prompt('go');
  while (!told().some(({ event }) => event === 'paused'))
    await new Promise((resolve) => setTimeout(resolve, 2));
  expect(
    told()
      .slice(first)
      .map(({ event }) => event),
  ).toEqual(['run_start', 'paused']);
  session.resume();
  await running;
  await leave(session);
  expect(
    told()
      .slice(first, first + 4)
      .map(({ event }) => event),
  ).toEqual(['run_start', 'paused', 'resumed', 'turn_start']);
});
