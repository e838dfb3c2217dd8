import { expect, it } from 'vitest';
import { createLineQueue } from './line-queue.ts';

it('hands over what one turn of the event loop brought as one batch, in order', async () => {
  const batches: (readonly string[])[] = [];
  const queue = createLineQueue({
    async write(lines) {
      batches.push(lines);
      return lines.length;
    },
  });
  for (const line of ['a', 'b', 'c']) queue.push(line);
  await queue.flush();
  queue.push('d');
  await queue.flush();
  expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
});

it('offers what was refused again, in front of what came later', async () => {
  const written: string[] = [];
  let room = 1;
  const queue = createLineQueue({
    async write(lines) {
      const taken = lines.slice(0, room);
      written.push(...taken);
      return taken.length;
    },
  });
  queue.push('a');
  queue.push('b');
  await queue.flush();
  expect(written).toEqual(['a']);
  room = 10;
  queue.push('c');
  await queue.flush();
  expect(written).toEqual(['a', 'b', 'c']);
});

it('keeps the newest lines while the writer refuses', async () => {
  let open = false;
  const written: string[] = [];
  const queue = createLineQueue({
    keep: 3,
    async write(lines) {
      if (open) written.push(...lines);
      return open ? lines.length : 0;
    },
  });
  for (let i = 0; i < 20; i++) {
    queue.push(`${i}`);
    if (i % 4 === 0) await queue.flush();
  }
  open = true;
  await queue.flush();
  expect(written).toEqual(['17', '18', '19']);
});

it('flushes at once when nothing waits', async () => {
  const asked: (readonly string[])[] = [];
  const write = async (lines: readonly string[]) => asked.push(lines);
  await expect(createLineQueue({ write }).flush()).resolves.toBeUndefined();
  expect(asked).toEqual([]);
});
