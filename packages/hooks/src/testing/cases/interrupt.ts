// An interrupt ends a run at any moment and lets nothing through on its way.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { textOf } from '../stage.ts';
import { allowShell } from './gate.ts';

export const interruptCases = [
  defineCase({
    id: 'interrupt.gate-stays-shut',
    promise: 'A call whose PreToolUse hooks were interrupted never runs, whatever they would have said.',
    cites: ['contract.cancel.gate-stays-shut', 'contract.cancel.kills-hooks'],
    async play(stage) {
      const allow = JSON.stringify({ hookSpecificOutput: { permissionDecision: 'allow' } });
      const slow = stage.hook(
        `echo '${allow}'`,
        'touch judging',
        'while [ ! -e never ]; do sleep 0.05; done',
      );
      stage.settings({ ...allowShell(stage), hooks: { PreToolUse: [{ hooks: [slow] }] } });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}] });
      const run = session.prompt('Make a file.');
      await stage.until(() => stage.has('judging'), 'the PreToolUse hook starts');
      session.interrupt();
      const end = await run;
      expectSame(end.kind, 'interrupted', 'The run does not end as interrupted.');
      await session.close();
      expectThat(
        !stage.has('done'),
        'The call ran, although its hooks were interrupted while they judged it.',
      );
      expectSame(
        stage.seen('tool_start', 'run_end').map((told) => `${told.event} ${textOf(told, 'reason')}`),
        ['run_end interrupted'],
        'An interrupted call starts nothing, and its run ends as interrupted.',
      );
    },
  }),

  defineCase({
    id: 'interrupt.closes-the-prompt',
    promise: 'An interrupt while a prompt is open ends it with unblocked, and the call does not run.',
    cites: ['codey.blocked.unblocks-once', 'codey.run.end-reason'],
    async play(stage) {
      const session = await stage.open({
        model: [{ calls: [stage.shell('touch done')] }, {}],
        human: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve('allow'));
          }),
      });
      const run = session.prompt('Make a file.');
      await stage.until(() => stage.seen('blocked').length > 0, 'the prompt opens');
      session.interrupt();
      const end = await run;
      expectSame(end.kind, 'interrupted', 'The run does not end as interrupted.');
      expectSame(
        stage
          .seen('blocked', 'unblocked', 'tool_start', 'run_end')
          .map((told) => `${told.event} ${textOf(told, 'reason')}`),
        ['blocked approval', 'unblocked interrupted', 'run_end interrupted'],
        'The open prompt and its run do not end like this.',
      );
      expectThat(!stage.has('done'), 'The call ran, although its prompt was interrupted.');
    },
  }),

  defineCase({
    id: 'interrupt.next-run-is-whole',
    promise: 'After an interrupt the next prompt runs as ever, with its hooks.',
    cites: ['codey.run.start-per-prompt', 'koder.event.pretooluse-before-call'],
    async play(stage) {
      stage.settings({
        ...allowShell(stage),
        hooks: {
          PreToolUse: [{ hooks: [stage.hook('case $payload in *slow*) touch judging; sleep 60;; esac')] }],
        },
      });
      const calls = ['touch slow', 'touch done'].map((command) => ({ calls: [stage.shell(command)] }));
      const session = await stage.open({ model: [...calls, {}] });
      const run = session.prompt('Make a file.');
      await stage.until(() => stage.has('judging'), 'the PreToolUse hook starts');
      session.interrupt();
      await run;
      const end = await session.prompt('Make another.');
      expectSame(end.kind, 'completed', 'The run after an interrupted one does not complete.');
      expectThat(stage.has('done'), 'The call of the run after an interrupted one did not run.');
      expectSame(stage.seen('PreToolUse').length, 2, 'The hooks are asked about the calls of both runs.');
    },
  }),
];
