import { describe, expect, it } from 'vitest';
import { createAnswerDraft } from './answer-draft.ts';
import { answerParts } from './carry.ts';

const context = { model: 'maker/model', takenIds: new Set<string>(), carryPlainReasoning: false };

describe('the draft of an answer', () => {
  it('carries nothing when text and calls say everything', () => {
    const draft = createAnswerDraft(context);
    draft.noteText('0', undefined);
    draft.addText('0', 'hello', undefined);
    draft.addCall({ toolCallId: 'a', toolName: 't', input: '{}' });
    expect(draft.carry()).toBeUndefined();
  });

  it('separates blocks of text and finds each again', () => {
    const draft = createAnswerDraft(context);
    const shown = [
      draft.addText('0', 'one', undefined),
      draft.addText('0', '!', { maker: { item: 'm0' } }),
      draft.addText('1', 'two', { maker: { item: 'm1' } }),
    ];
    draft.addReasoning('2', 'so', undefined);
    draft.addReasoning('2', '', { maker: { sealed: 'x' } });
    const call = draft.addCall({ toolCallId: 'a', toolName: 't', input: '{"b":1}' });
    expect(shown).toEqual(['one', '!', '\n\ntwo']);
    const message = { role: 'assistant', text: shown.join(''), calls: [call], carry: draft.carry() } as const;
    expect(answerParts(message, 'maker/model')).toEqual([
      { kind: 'text', text: 'one!', metadata: { maker: { item: 'm0' } } },
      { kind: 'text', text: 'two', metadata: { maker: { item: 'm1' } } },
      { kind: 'reasoning', text: 'so', metadata: { maker: { sealed: 'x' } } },
      { kind: 'call', call },
    ]);
  });

  it('joins what a provider adds to a block at its start, inside and at its end', () => {
    const draft = createAnswerDraft(context);
    draft.addReasoning('0', '', { maker: { item: 'r', sealed: null } });
    draft.addReasoning('0', 'hmm', undefined);
    draft.addReasoning('0', '', { maker: { sealed: 's' } });
    expect(draft.carry()?.parts).toEqual([
      { kind: 'reasoning', text: 'hmm', metadata: { maker: { item: 'r', sealed: 's' } } },
    ]);
  });

  it('takes up a block id again after other text as a new block', () => {
    const draft = createAnswerDraft({ ...context, carryPlainReasoning: true });
    draft.addText('0', 'a', undefined);
    draft.addReasoning('1', 'hmm', undefined);
    draft.addText('2', 'b', undefined);
    draft.addText('0', 'c', undefined);
    expect(draft.carry()?.parts).toEqual([
      { kind: 'text', from: 0, to: 1 },
      { kind: 'reasoning', text: 'hmm' },
      { kind: 'text', from: 3, to: 4 },
      { kind: 'text', from: 6, to: 7 },
    ]);
  });

  it.each([
    ['', {}, undefined],
    ['{"a":1}', { a: 1 }, undefined],
    ['{"a":', {}, expect.stringContaining('not complete JSON')],
    ['null', {}, expect.stringContaining('not null')],
    ['"ls"', {}, expect.stringContaining('not a string')],
  ])('reads the arguments %j', (json, input, invalid) => {
    const call = createAnswerDraft(context).addCall({ toolCallId: 'a', toolName: 't', input: json });
    expect({ input: call.input, invalid: call.invalid }).toEqual({ input, invalid });
  });
});
