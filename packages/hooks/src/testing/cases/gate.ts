// Every tool call asks before it runs, and a no keeps it from running.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import type { Stage } from '../stage.ts';

export const gateCases = [
  defineCase({
    id: 'gate.every-call-asks',
    promise:
      'Each tool call asks the PreToolUse hooks, with its tool and input, before the tool does anything.',
    cites: ['koder.event.pretooluse-before-call', 'koder.event.pretooluse-payload'],
    async play(stage) {
      const late = stage.hook(
        'case $payload in *first*) f=first;; *second*) f=second;; *) f=third;; esac',
        '[ ! -e $f ] || echo $f >> late',
      );
      stage.settings({ ...allowShell(stage), hooks: { PreToolUse: [{ hooks: [late] }] } });
      const calls = ['touch first', 'touch second', 'touch third'].map(stage.shell);
      const session = await stage.open({
        model: [{ calls: calls.slice(0, 2) }, { calls: calls.slice(2) }, {}],
      });
      await session.prompt('Make three files.');
      expectSame(
        stage.seen('PreToolUse').map(({ tool_name, tool_input }) => ({ tool: tool_name, input: tool_input })),
        calls,
        'The PreToolUse hooks were not asked about just the three calls.',
      );
      expectThat(!stage.has('late'), 'A call had already run when its PreToolUse hooks were asked.');
      for (const file of ['first', 'second', 'third']) {
        expectThat(stage.has(file), `The call that makes ${file} did not run, although every hook let it.`);
      }
    },
  }),

  defineCase({
    id: 'gate.deny-never-runs',
    promise: 'A call that a PreToolUse hook blocks never runs, and the call after it is judged by itself.',
    cites: ['koder.event.pretooluse-block', 'koder.exit.two-blocks'],
    async play(stage) {
      stage.settings({ ...allowShell(stage), hooks: { PreToolUse: [blocking(stage, 'forbidden')] } });
      const calls = ['touch forbidden', 'touch free'].map(stage.shell);
      const session = await stage.open({ model: [{ calls }, {}] });
      await session.prompt('Make two files.');
      expectThat(!stage.has('forbidden'), 'The call ran, although a PreToolUse hook ended with exit code 2.');
      expectThat(stage.has('free'), 'The call beside the blocked one did not run.');
    },
  }),

  defineCase({
    id: 'gate.reason-reaches-model',
    promise: 'The model gets the reason of a block as the result of its call.',
    cites: ['koder.event.pretooluse-block', 'koder.exit.two-stderr-reason'],
    async play(stage) {
      stage.settings({
        ...allowShell(stage),
        hooks: { PreToolUse: [blocking(stage, 'forbidden', 'done-elsewhere-4711')] },
      });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch forbidden')] }, {}] });
      const end = await session.prompt('Make a file.');
      expectSame(
        end.kind,
        'completed',
        'A blocked call ended the run; it is only a result of the model’s call.',
      );
      expectThat(
        session.calls[1]?.conversation.includes('done-elsewhere-4711') === true,
        'The model’s next call does not hold what the hook said on stderr.',
      );
    },
  }),

  defineCase({
    id: 'gate.blocked-call-leaves-no-trace',
    promise:
      'A call that a PreToolUse hook blocked has no tool_start, no PostToolUse and no PermissionDenied.',
    cites: ['contract.order.no-start-unrun', 'koder.event.permissiondenied-on-denial'],
    async play(stage) {
      stage.settings({ ...allowShell(stage), hooks: { PreToolUse: [blocking(stage, 'forbidden')] } });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch forbidden')] }, {}] });
      await session.prompt('Make a file.');
      const events = ['tool_start', 'tool_result', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'];
      expectSame(
        stage.seen(...events).map(({ event }) => event),
        [],
        'Hooks were told of a call that never ran.',
      );
    },
  }),

  defineCase({
    id: 'gate.rule-beats-allow',
    promise: 'A hook’s allow does not lift a deny rule.',
    cites: ['contract.merge.rules-beat-hooks'],
    async play(stage) {
      const allow = stage.says({ hookSpecificOutput: { permissionDecision: 'allow' } });
      stage.settings({
        permissions: { deny: [`${stage.host.shell.name}(*forbidden*)`] },
        hooks: { PreToolUse: [{ hooks: [allow] }] },
      });
      const calls = ['touch forbidden', 'touch free'].map(stage.shell);
      const session = await stage.open({ model: [{ calls }, {}] });
      await session.prompt('Make two files.');
      expectThat(!stage.has('forbidden'), 'The call ran, although permissions.deny names it.');
      expectThat(stage.has('free'), 'The call that no rule names did not run, although a hook allowed it.');
      expectSame(
        stage.seen('PermissionDenied').length,
        1,
        'PermissionDenied fires for the denial by a rule.',
      );
    },
  }),
];

/** Nothing asks for approval: what happens is up to the hooks. */
export function allowShell({ host }: Stage) {
  return { permissions: { allow: [host.shell.name] } };
}

/** A group that blocks calls whose payload holds a word. */
export function blocking(stage: Stage, word: string, reason = 'not here') {
  return { hooks: [stage.hook(`case $payload in *${word}*) echo ${reason} >&2; exit 2;; esac`)] };
}
