// A call that needs approval is settled by rules, hooks and people, in this order, and by nobody else.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import type { HumanStandIn } from '../host.ts';
import { textOf } from '../stage.ts';
import { allowShell, blocking } from './gate.ts';

/** Answers each prompt and counts them. */
function person(answer: Awaited<ReturnType<HumanStandIn>>) {
  const asked: string[] = [];
  const human: HumanStandIn = async ({ tool }) => {
    asked.push(tool);
    return answer;
  };
  return { asked, human };
}

const decides = (decision: object) => ({ hookSpecificOutput: { decision } });

export const permissionCases = [
  defineCase({
    id: 'permission.asked-on-need',
    promise: 'PermissionRequest fires for a call that needs approval, with the reason why, and for no other.',
    cites: ['koder.event.permissionrequest-on-need', 'koder.event.permissionrequest-payload'],
    async play(stage) {
      stage.settings({ permissions: { allow: [`${stage.host.shell.name}(touch free)`] } });
      const calls = ['touch free', 'touch guarded'].map(stage.shell);
      const session = await stage.open({ model: [{ calls }, {}], human: person('allow').human });
      await session.prompt('Make two files.');
      const asked = stage.seen('PermissionRequest');
      expectSame(
        asked.map(({ tool_input }) => tool_input),
        [calls[1]?.input],
        'PermissionRequest did not fire for just the call that no rule allows.',
      );
      expectThat(textOf(asked[0], 'reason') !== '', 'The payload of PermissionRequest has no reason.');
    },
  }),

  defineCase({
    id: 'permission.hook-allows',
    promise: 'A PermissionRequest hook that allows lets the call run, and nobody is prompted.',
    cites: ['koder.event.permissionrequest-resolves', 'koder.decision.allow-approves'],
    async play(stage) {
      const allow = stage.says(decides({ behavior: 'allow' }));
      stage.settings({ hooks: { PermissionRequest: [{ hooks: [allow] }] } });
      const { asked, human } = person('deny');
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}], human });
      await session.prompt('Make a file.');
      expectThat(stage.has('done'), 'The call did not run, although a PermissionRequest hook allowed it.');
      expectSame(asked, [], 'A person was prompted about a call that a hook had settled.');
      expectSame(stage.seen('blocked').length, 0, 'blocked was published, although nobody is waited for.');
    },
  }),

  defineCase({
    id: 'permission.hook-denies',
    promise:
      'A PermissionRequest hook that denies keeps the call from running; the model and PermissionDenied get its message.',
    cites: [
      'koder.decision.deny-denies',
      'koder.decision.deny-message',
      'koder.event.permissiondenied-on-denial',
      'koder.event.permissiondenied-payload',
    ],
    async play(stage) {
      const deny = stage.says(decides({ behavior: 'deny', message: 'not-today-4711' }));
      stage.settings({ hooks: { PermissionRequest: [{ hooks: [deny] }] } });
      const { asked, human } = person('allow');
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}], human });
      await session.prompt('Make a file.');
      expectThat(!stage.has('done'), 'The call ran, although a PermissionRequest hook denied it.');
      expectSame(asked, [], 'A person was prompted about a call that a hook had settled.');
      expectThat(
        session.calls[1]?.conversation.includes('not-today-4711') === true,
        'The model does not get the message of the denial.',
      );
      const denied = stage.seen('PermissionDenied');
      expectSame(denied.length, 1, 'PermissionDenied fires once for the denial.');
      expectThat(
        textOf(denied[0], 'reason').includes('not-today-4711'),
        'PermissionDenied does not say why.',
      );
    },
  }),

  defineCase({
    id: 'permission.nobody-denies',
    promise: 'Where nobody can answer, a call that asks is denied, and no prompt is published.',
    cites: [
      'contract.merge.unanswered-ask-denies',
      'contract.blocked.print-mode',
      'koder.event.permissiondenied-on-denial',
    ],
    async play(stage) {
      const ask = stage.says({ hookSpecificOutput: { permissionDecision: 'ask' } });
      stage.settings({ ...allowShell(stage), hooks: { PreToolUse: [{ hooks: [ask] }] } });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}] });
      const end = await session.prompt('Make a file.');
      expectThat(
        !stage.has('done'),
        'The call ran, although a hook asked for approval and nobody could give it.',
      );
      expectSame(end.kind, 'completed', 'The denial ended the run; it is only a result of the model’s call.');
      expectSame(
        stage.seen('PermissionDenied', 'blocked', 'Notification').map(({ event }) => event),
        ['PermissionDenied'],
        'Without a person there is a denial and no prompt.',
      );
    },
  }),

  defineCase({
    id: 'permission.ask-is-for-people',
    promise: 'A hook’s ask is answered by a person, whatever a rule or a PermissionRequest hook allows.',
    cites: ['koder.decision.allow-approves', 'koder.event.permissionrequest-resolves'],
    async play(stage) {
      const ask = stage.says({ hookSpecificOutput: { permissionDecision: 'ask' } });
      const allow = stage.says(decides({ behavior: 'allow' }));
      stage.settings({
        ...allowShell(stage),
        hooks: { PreToolUse: [{ hooks: [ask] }], PermissionRequest: [{ hooks: [allow] }] },
      });
      const { asked, human } = person('deny');
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}], human });
      await session.prompt('Make a file.');
      expectSame(asked.length, 1, 'A person is asked once.');
      expectThat(!stage.has('done'), 'The call ran, although the person said no.');
    },
  }),

  defineCase({
    id: 'permission.person-denies',
    promise: 'What a person denies does not run; the model is told and PermissionDenied fires.',
    cites: ['koder.event.permissiondenied-on-denial'],
    async play(stage) {
      const { asked, human } = person('deny');
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}], human });
      const end = await session.prompt('Make a file.');
      expectSame(asked, [stage.host.shell.name], 'The person is asked about the call.');
      expectThat(!stage.has('done'), 'The call ran, although the person said no.');
      expectSame([end.kind, session.calls.length], ['completed', 2], 'The model goes on after the denial.');
      expectSame(stage.seen('PermissionDenied').length, 1, 'PermissionDenied fires once for the denial.');
    },
  }),

  defineCase({
    id: 'permission.hooks-before-memory',
    promise: 'A remembered approval spares the prompt and never the hooks.',
    cites: ['contract.gate.hooks-before-memory'],
    async play(stage) {
      stage.settings({ hooks: { PreToolUse: [{ hooks: [stage.hook('[ ! -e stop ] || exit 2')] }] } });
      const call = stage.shell('echo more >> lines');
      const { human } = person('remember');
      const session = await stage.open({
        model: [{ calls: [call] }, { calls: [call] }, { calls: [stage.shell('touch stop'), call] }, {}],
        human,
      });
      await session.prompt('Write lines.');
      expectSame(
        stage.seen('PreToolUse').length,
        4,
        'The hooks are asked about each call, remembered or not.',
      );
      expectSame(
        stage.seen('PostToolUse').length,
        3,
        'A call that was approved before ran although a PreToolUse hook now blocks it.',
      );
    },
  }),

  defineCase({
    id: 'permission.person-allows',
    promise: 'What a person allows runs, after its hooks had their say.',
    cites: ['koder.event.pretooluse-before-call', 'codey.blocked.on-approval-prompt'],
    async play(stage) {
      stage.settings({ hooks: { PreToolUse: [blocking(stage, 'forbidden')] } });
      const { asked, human } = person('allow');
      const calls = ['touch forbidden', 'touch done'].map(stage.shell);
      const session = await stage.open({ model: [{ calls }, {}], human });
      await session.prompt('Make two files.');
      expectSame(
        asked.length,
        1,
        'A person is asked about what the hooks let through, and about nothing else.',
      );
      expectThat(stage.has('done'), 'The call did not run, although a person allowed it.');
      expectThat(
        !stage.has('forbidden'),
        'A call that a hook blocked ran because a person would have allowed it.',
      );
    },
  }),
];
