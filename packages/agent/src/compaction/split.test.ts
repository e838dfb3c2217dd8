import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../model/model.ts';
import { createSessionFold } from '../session/state.ts';
import { type NewestExchange, splitConversation } from './split.ts';

const user = (text: string): Message => ({ role: 'user', text });
const said = (text: string, ...ids: readonly string[]): Message => ({
  role: 'assistant',
  text,
  calls: ids.map((id) => ({ id, tool: 'read_file', input: { path: 'a' } })),
});
const result = (callId: string, output = 'ok'): Message => ({
  role: 'tool',
  callId,
  tool: 'read_file',
  output,
  failed: false,
});
const summary: Message = { role: 'context', source: 'compaction', text: 'what was' };

function split(messages: readonly Message[], keepTokens: number, newest: NewestExchange = 'stays') {
  return splitConversation(
    { messages, origins: messages.map((_, index) => index + 1) },
    { keepTokens, newest },
  );
}

const long = 'x'.repeat(400);

describe('the cut', () => {
  it('keeps what is newest, up to the size that may stay', () => {
    const messages = [user(long), said(long), user('short'), said('short')];
    expect(split(messages, 20)).toEqual({
      replaced: messages.slice(0, 2),
      kept: messages.slice(2),
      keptFrom: 3,
    });
  });

  it('never lies between a call and its results', () => {
    const messages = [user(long), said('', 'a', 'b'), result('a', long), result('b'), said('done')];
    expect(split(messages, 20)?.kept).toEqual([said('done')]);
    expect(split(messages.slice(0, 4), 20)?.kept).toEqual(messages.slice(1, 4));
  });

  it('keeps the newest exchange however large it is', () => {
    const messages = [user('begin'), said('', 'a'), result('a', long.repeat(100))];
    expect(split(messages, 1)?.kept).toEqual(messages.slice(1));
  });

  it('lets calls go that are too large to stay, and never the words of the user', () => {
    const messages = [user('begin'), said('', 'a'), result('a', long.repeat(100))];
    expect(split(messages, 1, 'calls-may-go')).toEqual({ replaced: messages, kept: [], keptFrom: 4 });
    expect(split(messages, 20_000, 'calls-may-go')).toBeUndefined();
    const asked = [...messages, said('done'), user(long.repeat(100))];
    expect(split(asked, 1, 'calls-may-go')?.kept).toEqual(asked.slice(-1));
    expect(split([user(long.repeat(100))], 1, 'calls-may-go')).toBeUndefined();
  });

  it('is none where nothing but an earlier summary would be replaced', () => {
    expect(split([], 100, 'all-may-go')).toBeUndefined();
    expect(split([summary], 100, 'all-may-go')).toBeUndefined();
    expect(split([summary, user('go'), said('gone')], 100)).toBeUndefined();
    expect(split([user('go'), said('gone')], 100)).toBeUndefined();
  });

  it('takes everything where somebody asks for it and all of it would stay', () => {
    const messages = [user('go'), said('gone')];
    expect(split(messages, 100, 'all-may-go')).toEqual({ replaced: messages, kept: [], keptFrom: 3 });
  });
});

it('leaves exactly what it says when the log is folded again', () => {
  const newestExchange = fc.constantFrom<NewestExchange>('stays', 'calls-may-go', 'all-may-go');
  const step = fc.record({ calls: fc.nat(3), context: fc.boolean(), length: fc.nat(200) });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.nat(150),
      newestExchange,
      (steps, keepTokens, newest) => {
        const fold = createSessionFold();
        let n = 0;
        const add = (entry: object): void => {
          n += 1;
          fold.add({ n, time: '', agent: 'main', from: { kind: 'host' }, ...entry } as never);
        };
        add({ kind: 'prompt', text: 'begin' });
        steps.forEach(({ calls, context, length }, index) => {
          const ids = Array.from({ length: calls }, (_, call) => `${index}-${call}`);
          const usage = { input: 0, output: 0 };
          add({
            kind: 'answer',
            text: 'y'.repeat(length),
            calls: ids.map((id) => ({ id, tool: 't', input: {} })),
            usage,
          });
          // A hook's text may come before the result it is about.
          if (context) add({ kind: 'context', text: 'hook', source: 'a hook' });
          for (const id of ids) add({ kind: 'result', callId: id, tool: 't', output: 'z', failed: false });
        });
        const before = fold.state();
        const messages = before.messages.get('main') ?? [];
        const found = splitConversation(
          { messages, origins: before.sizes.get('main')?.origins ?? [] },
          { keepTokens, newest },
        );
        if (found === undefined) return;
        add({ kind: 'compacted', summary: 'what was', keptFrom: found.keptFrom });
        expect(fold.state().messages.get('main')).toEqual([summary, ...found.kept]);
      },
    ),
  );
});
