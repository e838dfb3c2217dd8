import { expect, it } from 'vitest';
import { repository } from './fixture.ts';
import { checkPromises } from './promises.mjs';

const promise = (id: string) => ({ id, promise: `${id} holds.`, source: 'Codey hooks, Hooks' });
const listed = (...ids: string[]) => ({ 'docs/promises.json': JSON.stringify(ids.map(promise)) });

it('names the promises that no test cites', () => {
  const root = repository({
    ...listed('codey.turn.counts-up', 'koder.scope.all-run', 'contract.root.nearest'),
    'packages/hooks/src/a.test.ts': "it('counts [codey.turn.counts-up]', () => {});",
  });
  expect(checkPromises(root)).toEqual({
    unknown: [],
    uncited: [promise('koder.scope.all-run'), promise('contract.root.nearest')],
    repeated: [],
    total: 3,
  });
});

it.each([
  ['in one bracket', '[codey.turn.counts-up, koder.scope.all-run]'],
  ['in two brackets', '[codey.turn.counts-up] [koder.scope.all-run]'],
  ['in a row of a table', "['counts [codey.turn.counts-up]', 1], ['runs [koder.scope.all-run]', 2]"],
])('reads several ids %s', (_, text) => {
  const root = repository({
    ...listed('codey.turn.counts-up', 'koder.scope.all-run'),
    'packages/agent/test/a.test.ts': text,
  });
  expect(checkPromises(root).uncited).toEqual([]);
});

it('finds ids that are no promise, with their place', () => {
  const root = repository({
    ...listed('codey.turn.counts-up'),
    'packages/hooks/src/a.test.ts': "\n\nit('counts [codey.turn.count-up]', () => {});",
  });
  expect(checkPromises(root).unknown).toEqual([
    { id: 'codey.turn.count-up', file: 'packages/hooks/src/a.test.ts', line: 3 },
  ]);
});

it('takes citations from tests only', () => {
  const root = repository({
    ...listed('codey.turn.counts-up'),
    'packages/hooks/src/a.ts': '// [codey.turn.counts-up]',
    'docs/a.md': '[codey.turn.counts-up]',
  });
  expect(checkPromises(root).uncited).toHaveLength(1);
});

it('finds a promise that is listed twice', () => {
  expect(checkPromises(repository(listed('codey.a.b', 'codey.a.b', 'codey.a.c'))).repeated).toEqual([
    'codey.a.b',
  ]);
});
