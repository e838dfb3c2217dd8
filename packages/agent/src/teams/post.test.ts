import { expect, it } from 'vitest';
import { deliverMail } from './post.ts';

it('marks mail as taken only when it stands in the stored conversation', async () => {
  const happened: string[] = [];
  let written: () => void = () => {};
  const delivered = deliverMail(
    'tester',
    {
      unread: async () => [{ id: 'm1', from: 'main', to: 'tester', text: 'look', time: '' }],
      markTaken: async (mails) => void happened.push(`taken ${mails.map(({ id }) => id).join(' ')}`),
    },
    {
      append(entry) {
        happened.push(entry.kind);
        return { n: 1, time: '', ...entry };
      },
      flush: () =>
        new Promise((resolve) => {
          written = () => {
            happened.push('written');
            resolve();
          };
        }),
    },
  );
  await new Promise(setImmediate);
  expect(happened).toEqual(['context']);
  written();
  expect(await delivered).toBe(1);
  expect(happened).toEqual(['context', 'written', 'taken m1']);
});
