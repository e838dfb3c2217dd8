import { expect, it } from 'vitest';
import type { Message } from '../model/model.ts';
import { foldSession } from '../session/state.ts';
import { copiedEntries } from './copy-conversation.ts';

const call = (id: string) => ({ id, tool: 'run_shell', input: { command: id } });
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  tool: 'run_shell',
  output: callId,
  failed: false,
});
const settled: readonly Message[] = [
  { role: 'user', text: 'do it' },
  { role: 'context', text: 'mind this', source: 'hook' },
  { role: 'assistant', text: 'I will', calls: [call('a'), call('b')], carry: { signed: true } },
  result('a'),
  result('b'),
];

function copied(messages: readonly Message[]): readonly Message[] | undefined {
  const entries = copiedEntries(messages, 'fork').map((entry, at) => ({ n: at + 1, time: '', ...entry }));
  return foldSession(entries).messages.get('fork');
}

it('gives a fork the very messages of the agent it comes from', () => {
  expect(copied(settled)).toEqual(settled);
  expect(copied([...settled, { role: 'assistant', text: 'done', calls: [] }])?.at(-1)).toEqual({
    role: 'assistant',
    text: 'done',
    calls: [],
  });
});

it('leaves out an answer whose calls are still under way', () => {
  const open: Message = { role: 'assistant', text: 'more', calls: [call('c'), call('d')] };
  expect(copied([...settled, open])).toEqual(settled);
  expect(copied([...settled, open, result('c')])).toEqual(settled);
});

it('pays for nothing twice', () => {
  const entries = copiedEntries(settled, 'fork');
  expect(
    entries.every((entry) => entry.kind !== 'answer' || entry.usage.input + entry.usage.output === 0),
  ).toBe(true);
});
