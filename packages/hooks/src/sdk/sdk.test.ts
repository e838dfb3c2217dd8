import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNative } from '../dialects/native/decode.ts';
import { policyCatalogue, policyEventNames } from '../policy/catalogue.ts';
import type { Answer } from '../policy/decision.ts';
import type { OutputField } from '../policy/define-event.ts';
import { answerFields } from './answer-fields.ts';
import { encodeAnswer } from './encode-answer.ts';
import {
  allow,
  answerForm,
  ask,
  changeInput,
  context,
  defineHook,
  deny,
  halt,
  keepWorking,
} from './index.ts';

const noFridays = defineHook('PreToolUse', async ({ tool_name, tool_input }) => {
  const { command } = tool_input;
  if (tool_name !== 'run_shell' || typeof command !== 'string') return undefined;
  return command.startsWith('git push') ? deny('no pushes on Friday') : undefined;
});

describe('defineHook', () => {
  it('is asked in a test like any other function', async () => {
    expect(await noFridays.ask({ tool_name: 'run_shell', tool_input: { command: 'git push' } })).toEqual({
      verdict: { kind: 'deny', reason: 'no pushes on Friday' },
    });
    expect(await noFridays.ask({ tool_name: 'read_file', tool_input: {} })).toBeUndefined();
  });

  it('turns a throw into a rejection', async () => {
    const broken = defineHook('Stop', () => {
      throw new Error('out of order');
    });
    await expect(broken.ask({})).rejects.toThrow('out of order');
  });

  it('takes what the event understands and nothing else', () => {
    defineHook('PreToolUse', () => ({
      ...allow('ok'),
      ...changeInput({ command: 'ls' }),
      ...context('note'),
    }));
    defineHook('Stop', () => ({ ...keepWorking('the tests fail'), systemMessage: 'not yet' }));
    defineHook('Elicitation', () => answerForm({ action: 'decline' }));
    defineHook('WorktreeCreate', () => ({ worktreePath: '/elsewhere' }));
    defineHook('Notification', () => halt('enough'));
    // @ts-expect-error nothing can be allowed when the agent has finished
    defineHook('Stop', () => allow());
    // @ts-expect-error an agent that is about to call a tool is at work
    defineHook('PreToolUse', () => keepWorking('go on'));
    // @ts-expect-error a tool that has run asks nobody
    defineHook('PostToolUse', () => ask());
    // @ts-expect-error there is no input to change
    defineHook('SessionStart', () => changeInput({}));
    // @ts-expect-error no event has this name
    defineHook('PreToolUze', () => undefined);
    // @ts-expect-error the event has no such field
    defineHook('Stop', ({ tool_name }) => context(tool_name));
  });

  it('knows the answers of each event as the catalogue does', () => {
    const catalogue = Object.fromEntries(
      policyEventNames.map((name) => [name, policyCatalogue[name].output]),
    );
    expect(answerFields).toEqual(catalogue);
  });
});

/** Any answer that an event understands. */
function answersOf(event: (typeof policyEventNames)[number]): fc.Arbitrary<Answer> {
  const fields: readonly OutputField[] = answerFields[event];
  const has = (field: OutputField) => fields.includes(field);
  const text = fc.string({ minLength: 1 });
  const reason = text.filter((said) => said.trim() !== '');
  const verdicts: fc.Arbitrary<Answer['verdict']>[] = [
    fc.constant({ kind: 'none' } as const),
    reason.map((said) => ({ kind: 'deny', reason: said }) as const),
    ...(has('continue') ? [reason.map((said) => ({ kind: 'continue', reason: said }) as const)] : []),
    ...(has('permissionDecision')
      ? [
          fc.constant({ kind: 'allow' } as const),
          reason.map((said) => ({ kind: 'ask', reason: said }) as const),
        ]
      : []),
  ];
  const values = {
    halt: fc.record({ stopReason: text }),
    systemMessage: text,
    suppressOutput: fc.boolean(),
    ...(has('updatedInput') && {
      updatedInput: fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        text,
      ),
    }),
    ...(has('additionalContext') && { additionalContext: text }),
    ...(has('updatedToolOutput') && { updatedToolOutput: text }),
    ...(has('watchPaths') && { watchPaths: fc.array(text) }),
    ...(has('worktreePath') && { worktreePath: text }),
    ...(has('action') && {
      elicitation: fc.constantFrom(
        { action: 'decline' } as const,
        { action: 'accept', content: { confirm: true } } as const,
      ),
    }),
  };
  return fc
    .tuple(fc.oneof(...verdicts), fc.record(values, { requiredKeys: [] }))
    .map(([verdict, rest]) => ({ verdict, ...rest }));
}

describe('encodeAnswer', () => {
  it.each(policyEventNames)('writes what %s reads back as the same answer', (event) => {
    fc.assert(
      fc.property(answersOf(event), (answer) => {
        const encoded = encodeAnswer(event, answer);
        const decoded = decodeNative(event, encoded === undefined ? '' : JSON.stringify(encoded));
        const read = decoded.kind === 'text' ? { verdict: { kind: 'none' } } : decoded.answer;
        expect(decoded.kind).not.toBe('broken');
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(answer)));
      }),
      { numRuns: 50 },
    );
  });

  it('prints nothing where nothing is said', () => {
    expect(encodeAnswer('Stop', {})).toBeUndefined();
    expect(encodeAnswer('Stop', { verdict: { kind: 'none' } })).toBeUndefined();
  });
});
