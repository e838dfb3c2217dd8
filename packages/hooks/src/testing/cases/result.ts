// What a tool gave back is shown to the hooks, and what they say of it to the model.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { textOf } from '../stage.ts';
import { allowShell } from './gate.ts';

export const resultCases = [
  defineCase({
    id: 'result.hooks-see-it',
    promise:
      'After a call PostToolUse hooks get its tool, input and result; PostToolUseFailure hooks hear nothing of a success.',
    cites: [
      'koder.event.posttooluse-after-call',
      'koder.event.posttooluse-payload',
      'koder.event.posttoolusefailure-on-error',
    ],
    async play(stage) {
      stage.settings(allowShell(stage));
      const call = stage.shell('echo output-4711; touch done');
      const session = await stage.open({ model: [{ calls: [call] }, {}] });
      await session.prompt('Run it.');
      const [after, ...more] = stage.seen('PostToolUse');
      expectThat(after !== undefined && more.length === 0, 'PostToolUse fires once for one call.');
      expectSame(
        [after.tool_name, after.tool_input],
        [call.tool, call.input],
        'The payload is about the call.',
      );
      expectThat(
        textOf(after, 'result').includes('output-4711'),
        `The field result does not hold what the tool gave back; it is ${JSON.stringify(after.result)}.`,
      );
      expectSame(
        stage.seen('PostToolUseFailure').length,
        0,
        'PostToolUseFailure fired for a call that succeeded.',
      );
    },
  }),

  defineCase({
    id: 'result.failure-first',
    promise: 'For a failed call PostToolUseFailure fires and then PostToolUse, both with the error text.',
    cites: [
      'koder.event.posttoolusefailure-fires-first',
      'koder.event.posttoolusefailure-payload',
      'koder.event.posttooluse-error-text',
      'codey.tool.result-tells-failure',
    ],
    async play(stage) {
      stage.settings(allowShell(stage));
      const session = await stage.open({ model: [{ calls: [stage.shell('echo broken-4711; exit 3')] }, {}] });
      await session.prompt('Run it.');
      const after = stage.seen('PostToolUseFailure', 'PostToolUse');
      expectSame(
        after.map(({ event }) => event),
        ['PostToolUseFailure', 'PostToolUse'],
        'The hooks of a failed call fire in the wrong order.',
      );
      for (const [seen, field] of [
        [after[0], 'error'],
        [after[1], 'result'],
      ] as const) {
        expectThat(
          textOf(seen, field).includes('broken-4711'),
          `The field ${field} of ${seen?.event} does not hold what the command printed.`,
        );
      }
      expectSame(
        stage.seen('tool_result').map(({ error }) => error),
        ['failed'],
        'tool_result says whether the call failed.',
      );
    },
  }),

  defineCase({
    id: 'result.block-keeps-it',
    promise: 'A block by PostToolUse gives the model the reason beside the result, which is never lost.',
    cites: ['koder.event.posttooluse-block'],
    async play(stage) {
      stage.settings({
        ...allowShell(stage),
        hooks: { PostToolUse: [{ hooks: [stage.refuses('look-again-4712')] }] },
      });
      // The command does not hold the word it prints, or it would be found in the call.
      const session = await stage.open({
        model: [{ calls: [stage.shell('echo output-$((4000 + 711))')] }, {}],
      });
      const end = await session.prompt('Run it.');
      const next = session.calls[1]?.conversation ?? '';
      expectThat(
        next.includes('output-4711'),
        'The model does not get the result that a PostToolUse hook objected to.',
      );
      expectThat(
        next.includes('look-again-4712'),
        'The model does not get the reason of the PostToolUse hook.',
      );
      expectSame(end.kind, 'completed', 'A block by PostToolUse ended the run.');
    },
  }),

  defineCase({
    id: 'result.replaced-output',
    promise: 'updatedToolOutput stands in place of the result for the model.',
    cites: ['contract.output.updated-tool-output'],
    async play(stage) {
      const replace = stage.says({ hookSpecificOutput: { updatedToolOutput: 'token: [removed-4712]' } });
      stage.settings({ ...allowShell(stage), hooks: { PostToolUse: [{ hooks: [replace] }] } });
      // The command does not hold the word it prints, which the model must not see.
      const session = await stage.open({
        model: [{ calls: [stage.shell('echo secret-$((4000 + 711))')] }, {}],
      });
      await session.prompt('Run it.');
      const next = session.calls[1]?.conversation ?? '';
      expectThat(
        next.includes('removed-4712'),
        'The model does not get the output that the hook put in place.',
      );
      expectThat(!next.includes('secret-4711'), 'The model still gets the output that the hook replaced.');
    },
  }),

  defineCase({
    id: 'result.context-reaches-model',
    promise: 'additionalContext of the hooks of a call is in the model’s next call.',
    cites: ['contract.output.additional-context'],
    async play(stage) {
      const adding = (text: string) => ({
        hooks: [stage.says({ hookSpecificOutput: { additionalContext: text } })],
      });
      stage.settings({
        ...allowShell(stage),
        hooks: { PreToolUse: [adding('before-4711')], PostToolUse: [adding('after-4712')] },
      });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}] });
      await session.prompt('Run it.');
      for (const text of ['before-4711', 'after-4712']) {
        expectThat(
          session.calls[1]?.conversation.includes(text) === true,
          `The context ${text} did not reach the model.`,
        );
      }
    },
  }),

  defineCase({
    id: 'result.halt-ends-run',
    promise: '"continue": false ends the run after the call: no more model calls, and the user is told why.',
    cites: ['contract.output.continue-false'],
    async play(stage) {
      const halt = stage.says({ continue: false, stopReason: 'enough-4711' });
      stage.settings({ ...allowShell(stage), hooks: { PostToolUse: [{ hooks: [halt] }] } });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}] });
      const end = await session.prompt('Run it.');
      expectSame([end.kind, session.calls.length], ['error', 1], 'The run went on after "continue": false.');
      expectThat(
        end.message.includes('enough-4711'),
        `The user is not told the stopReason but ${JSON.stringify(end.message)}.`,
      );
    },
  }),
];
