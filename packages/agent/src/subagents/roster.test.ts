import { expect, it } from 'vitest';
import { createRoster, type Roster } from './roster.ts';

const forever = 2 ** 31 - 1;
const never = new AbortController().signal;

function join(roster: Roster, name: string, parent = 'main', cancel: () => void = () => {}): void {
  roster.join({ name, type: 'general', parent, task: `work of ${name}\nin detail`, cancel });
}
const answer = (text: string) => ({ kind: 'answer', text }) as const;

it('hands each result over once, to whoever started the agent', async () => {
  const roster = createRoster();
  join(roster, 'a');
  const waiting = roster.wait('a', 'main', forever, never);
  roster.leave('a', answer('found it'), ['its worktree is kept']);
  const returned = { name: 'a', text: 'found it\n[its worktree is kept]', failed: false };
  expect(await waiting).toEqual({ kind: 'returned', returned });
  expect(await roster.wait('a', 'main', forever, never)).toEqual({ kind: 'given' });
  expect(roster.take('main')).toEqual([]);
  expect(await roster.wait('a', 'other', forever, never)).toEqual({ kind: 'unknown', known: [] });
});

it('passes what an agent started on to its parent when it is gone', () => {
  const roster = createRoster();
  join(roster, 'a');
  join(roster, 'b', 'a');
  roster.leave('a', answer('a is done'), []);
  roster.leave('b', answer('b is done'), []);
  expect(roster.take('main').map(({ text }) => text)).toEqual(['a is done', 'b is done']);
});

it('ends the wait when the time is up or the signal fires, while the agent works on', async () => {
  const roster = createRoster();
  join(roster, 'a');
  expect(await roster.wait('a', 'main', 1, never)).toEqual({ kind: 'working' });
  expect(await roster.wait('a', 'main', forever, AbortSignal.abort())).toEqual({ kind: 'working' });
  expect(roster.working()).toBe(1);
});

it('cancels an agent with everything it started, deepest first', () => {
  const roster = createRoster();
  const ended: string[] = [];
  for (const [name, parent] of [
    ['a', 'main'],
    ['b', 'a'],
    ['c', 'b'],
    ['d', 'main'],
  ] as const)
    join(roster, name, parent, () => void ended.push(name));
  expect(roster.cancel('a')).toBe(true);
  expect(ended).toEqual(['c', 'b', 'a']);
  expect(roster.cancel('nobody')).toBe(false);
});

it('tells watchers of each change with the first lines of task and result', () => {
  const roster = createRoster();
  const told: string[] = [];
  const stop = roster.watch(
    ({ name, state, task, outcome }) => void told.push([name, state, task, outcome].join(' | ')),
  );
  join(roster, 'a');
  roster.turn('a', 'idle', { name: 'a', text: 'first\nsecond', failed: false });
  roster.turn('a', 'working');
  roster.leave('a', { kind: 'withheld', reason: 'secret' }, []);
  stop();
  join(roster, 'b');
  expect(told).toEqual([
    'a | working | work of a | ',
    'a | idle | work of a | first',
    'a | working | work of a | first',
    'a | withheld | work of a | The result of a is withheld by a hook: secret',
  ]);
});

it('knows of an idle teammate whether what it did last failed', () => {
  const roster = createRoster();
  join(roster, 'a');
  roster.turn('a', 'idle', { name: 'a', text: 'no money', failed: true });
  expect(roster.list()).toMatchObject([{ state: 'idle', outcome: 'no money', failed: true }]);
  roster.turn('a', 'working');
  expect(roster.list()[0]).not.toHaveProperty('failed');
});

it('forgets agents that are long gone, but no result that nobody has taken', async () => {
  const roster = createRoster();
  for (let at = 0; at < 300; at++) {
    join(roster, `a${at}`);
    roster.leave(`a${at}`, answer(`result ${at}`), []);
  }
  expect(roster.list()).toHaveLength(300);
  expect(roster.take('main')).toHaveLength(300);
  expect(roster.list()).toHaveLength(100);
  expect(roster.list().at(-1)?.name).toBe('a299');
});

it('is settled when nobody works, idle teammates or not', async () => {
  const roster = createRoster();
  join(roster, 'a');
  join(roster, 'b');
  let over = false;
  const settled = roster.settled(never).then(() => {
    over = true;
  });
  roster.turn('a', 'idle', { name: 'a', text: '', failed: false });
  await Promise.resolve();
  expect(over).toBe(false);
  roster.leave('b', { kind: 'cancelled' }, []);
  await settled;
  expect(over).toBe(true);
  await expect(roster.settled(AbortSignal.abort())).resolves.toBeUndefined();
});
