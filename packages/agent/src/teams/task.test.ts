import { expect, it } from 'vitest';
import { decideTask, type TaskChange } from './decide-task.ts';
import { addEvent, foldTasks, noTasks, type TaskEvent, type Tasks } from './task.ts';

const created = (id: string, ...after: string[]): TaskEvent => ({
  kind: 'created',
  id,
  subject: `task ${id}`,
  description: '',
  after,
});
const tasks = (...events: TaskEvent[]): Tasks => foldTasks(events);

function reason(list: Tasks, change: TaskChange): string {
  const decided = decideTask(list, change);
  return decided.kind === 'refused' ? decided.reason : `happens: ${decided.event.kind}`;
}

it('is the fold of what happened, whatever else stands between', () => {
  const { list, lastId } = foldTasks([
    { kind: 'reserved', id: '1' },
    created('1'),
    null,
    'text',
    { kind: 'created', id: 7 },
    { kind: 'unheard-of', id: '3' },
    { kind: 'toString', id: '1' },
    created('2', '1'),
    created('2'),
    { kind: 'claimed', id: '1', owner: 'a', session: 's' },
    { kind: 'completed', id: '1' },
    { kind: 'claimed', id: '9', owner: 'a', session: 's' },
    { kind: 'claimed', id: '2', owner: 'b', session: 's' },
    { kind: 'released', id: '2' },
    { kind: 'reserved', id: '5' },
  ]);
  expect([...list.values()].map(({ id, status, owner, after }) => [id, status, owner, ...after])).toEqual([
    ['1', 'completed', 'a'],
    ['2', 'pending', null, '1'],
  ]);
  expect(lastId).toBe(9);
  expect(addEvent(noTasks, { kind: 'completed', id: '1' }).list.size).toBe(0);
});

it('can be claimed by one, when everything before it is completed', () => {
  const list = tasks(created('1'), created('2', '1'), { kind: 'claimed', id: '1', owner: 'a', session: 's' });
  expect(reason(list, { kind: 'claim', id: '1', by: 'b', session: 's' })).toBe('task 1 belongs to a');
  expect(reason(list, { kind: 'claim', id: '2', by: 'b', session: 's' })).toBe('task 2 waits for 1');
  expect(reason(list, { kind: 'claim', by: 'b', session: 's' })).toBe(
    'no task is ready: all are taken, done or wait for others',
  );
  expect(reason(list, { kind: 'claim', id: '3', by: 'b', session: 's' })).toBe(
    'there is no task 3 (there are 1, 2)',
  );
  const later = addEvent(list, { kind: 'completed', id: '1' });
  expect(decideTask(later, { kind: 'claim', by: 'b', session: 's' })).toEqual({
    kind: 'happens',
    event: { kind: 'claimed', id: '2', owner: 'b', session: 's' },
  });
  expect(reason(later, { kind: 'claim', id: '1', by: 'b', session: 's' })).toBe('task 1 is completed');
});

it('is completed and given back by its owner only', () => {
  const list = tasks(created('1'), created('2'), { kind: 'claimed', id: '1', owner: 'a', session: 's' });
  for (const kind of ['complete', 'release'] as const) {
    expect(reason(list, { kind, id: '1', by: 'b' })).toBe('task 1 belongs to a; claim it first');
    expect(reason(list, { kind, id: '2', by: 'b' })).toBe('task 2 belongs to nobody; claim it first');
    expect(reason(list, { kind, id: '1', by: 'a' })).toMatch(/^happens/);
  }
  const done = addEvent(list, { kind: 'completed', id: '1' });
  expect(reason(done, { kind: 'complete', id: '1', by: 'a' })).toBe('task 1 is completed already');
});

it('never comes after itself, by however many others', () => {
  const list = tasks(created('1'), created('2', '1'), created('3', '2'), created('4', '1', '3'));
  const order = (id: string, ...after: string[]) => reason(list, { kind: 'order', id, after });
  expect(order('1', '1')).toBe('that would be a circle: 1 after 1');
  expect(order('1', '2')).toBe('that would be a circle: 1 after 2 after 1');
  expect(order('1', '4')).toMatch(/^that would be a circle: 1 after 4 after (?:3 after 2 after )?1$/);
  expect(order('2')).toBe('happens: ordered');
  expect(order('4', '2', '3')).toBe('happens: ordered');
  expect(order('4', '8')).toMatch(/there is no task 8/);
  expect(order('9', '1')).toMatch(/there is no task 9/);
  expect(reason(list, { kind: 'create', id: '5', subject: '', description: '', after: ['5'] })).toMatch(
    /circle/,
  );
});
