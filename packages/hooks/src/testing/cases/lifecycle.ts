// The events that are told: in their order, one end for each beginning, and without content.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { lifecycleEventNames } from '../../lifecycle/catalogue.ts';
import { textOf } from '../stage.ts';
import { allowShell } from './gate.ts';

export const lifecycleCases = [
  defineCase({
    id: 'lifecycle.order-of-a-run',
    promise:
      'A run is told in its order: run_start, a numbered turn_start for each model call, tool_start and tool_result for each tool call, run_end.',
    cites: [
      'codey.run.start-per-prompt',
      'codey.run.end-once',
      'codey.run.end-after-answer',
      'codey.turn.start-per-model-call',
      'codey.turn.counts-up',
      'codey.tool.start-per-call',
      'codey.tool.result-per-call',
    ],
    async play(stage) {
      stage.settings(allowShell(stage));
      const session = await stage.open({
        model: [
          { calls: ['touch a', 'exit 1'].map(stage.shell) },
          { calls: [stage.shell('touch b')] },
          {},
          {},
        ],
      });
      await session.prompt('Work.');
      await session.prompt('Say hello.');
      await session.close();
      const told = stage.seen(...lifecycleEventNames);
      expectSame(
        told.map((one) => `${one.event} ${textOf(one, 'turn')}`.trim()),
        sequence(
          'session_start, run_start',
          'turn_start 1, tool_start 1, tool_result 1, tool_start 1, tool_result 1',
          'turn_start 2, tool_start 2, tool_result 2',
          'turn_start 3, run_end',
          'run_start, turn_start 1, run_end',
          'session_end',
        ),
        'The lifecycle events of two runs are not these, in this order.',
      );
    },
  }),

  defineCase({
    id: 'lifecycle.order-of-an-approval',
    promise:
      'A call that a person approves passes PreToolUse, PermissionRequest, blocked, Notification, unblocked, tool_start, tool_result, PostToolUse in this order.',
    cites: [
      'contract.order.call',
      'codey.blocked.on-approval-prompt',
      'codey.blocked.reason-names-kind',
      'koder.event.notification-on-prompt',
      'koder.event.notification-payload',
    ],
    async play(stage) {
      const session = await stage.open({
        model: [{ calls: [stage.shell('touch done')] }, {}],
        human: async () => {
          // The prompt stays open until the world has been told of it: hooks of blocked hold nobody up.
          await stage.until(
            () => stage.seen('blocked').length > 0 && stage.seen('Notification').length > 0,
            'blocked and Notification are told while the prompt is open',
          );
          return 'allow';
        },
      });
      await session.prompt('Make a file.');
      const order = [
        'PreToolUse',
        'PermissionRequest',
        'blocked',
        'unblocked',
        'tool_start',
        'tool_result',
        'PostToolUse',
      ];
      expectSame(
        stage.seen(...order).map(({ event }) => event),
        order,
        'The call was not told in this order.',
      );
      const [blocked, unblocked] = stage.seen('blocked', 'unblocked');
      expectSame(
        [blocked?.reason, unblocked?.reason],
        ['approval', 'approved'],
        'The reasons of the prompt’s events.',
      );
      expectThat(
        textOf(blocked, 'message').includes('touch done'),
        `The message of blocked does not say what is waited for but ${JSON.stringify(blocked?.message)}.`,
      );
      const [notified, ...more] = stage.seen('Notification');
      expectSame(more.length, 0, 'Notification fires once for one prompt.');
      expectSame(
        [notified?.notification_type, notified?.tool_name],
        ['permission_prompt', stage.host.shell.name],
        'The payload of Notification is not about the prompt.',
      );
    },
  }),

  defineCase({
    id: 'lifecycle.blocked-alternates',
    promise:
      'Each blocked is followed by one unblocked with how the prompt ended, before the next blocked of that agent.',
    cites: ['codey.blocked.unblocks-once'],
    async play(stage) {
      const answers = ['allow', 'deny', 'allow'] as const;
      let asked = 0;
      const session = await stage.open({
        model: [{ calls: ['touch a', 'touch b', 'touch c'].map(stage.shell) }, {}],
        human: async () => answers[asked++] ?? 'deny',
      });
      await session.prompt('Make three files.');
      expectSame(
        stage.seen('blocked', 'unblocked').map((told) => `${told.event} ${textOf(told, 'reason')}`),
        ['approved', 'denied', 'approved'].flatMap((answer) => ['blocked approval', `unblocked ${answer}`]),
        'Three prompts are not told as three pairs.',
      );
    },
  }),

  defineCase({
    id: 'lifecycle.no-content',
    promise: 'No lifecycle event holds words of a prompt, an answer, a tool’s input or its output.',
    cites: ['codey.content.no-conversation-text', 'codey.content.no-tool-output'],
    async play(stage) {
      stage.settings(allowShell(stage));
      const session = await stage.open({
        model: [
          {
            text: 'thinking-4711',
            calls: ['echo printed-4711', 'echo failing-4711; exit 1'].map(stage.shell),
          },
          { text: 'answer-4711' },
        ],
      });
      await session.prompt('prompt-4711');
      await session.close();
      const telling = stage
        .seen(...lifecycleEventNames)
        .filter((event) => JSON.stringify(event).includes('4711'));
      expectSame(telling, [], 'Lifecycle events hold content of the conversation.');
    },
  }),
];

/** Lines for the eye, one event after another for the comparison. */
function sequence(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(', '));
}
