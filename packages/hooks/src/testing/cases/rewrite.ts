// An input that a hook changed is the one that is judged, that runs and that everybody is told of.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import type { Stage } from '../stage.ts';
import { allowShell } from './gate.ts';

export const rewriteCases = [
  defineCase({
    id: 'rewrite.changed-input-runs',
    promise: 'After updatedInput the tool runs with the changed input and with nothing of the first one.',
    cites: ['contract.output.updated-input'],
    async play(stage) {
      stage.settings({ ...allowShell(stage), hooks: changingTo(stage, stage.shell('touch changed').input) });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch first')] }, {}] });
      await session.prompt('Make a file.');
      expectThat(!stage.has('first'), 'The tool ran with the input that the hook had replaced.');
      expectThat(stage.has('changed'), 'The tool did not run with the input that the hook gave.');
      expectSame(
        stage.seen('PostToolUse').map(({ tool_input }) => tool_input),
        [stage.shell('touch changed').input],
        'PostToolUse hooks are told the input that ran.',
      );
    },
  }),

  defineCase({
    id: 'rewrite.model-is-told',
    promise: 'The model is told that its input was changed, and to what.',
    cites: ['contract.rewrite.model-told'],
    async play(stage) {
      stage.settings({ ...allowShell(stage), hooks: changingTo(stage, stage.shell('touch changed').input) });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch first')] }, {}] });
      await session.prompt('Make a file.');
      expectThat(
        session.calls[1]?.conversation.includes('touch changed') === true,
        'Nothing in the model’s next call says that another command ran than it had written.',
      );
    },
  }),

  defineCase({
    id: 'rewrite.meets-rules',
    promise: 'Permission rules judge the changed input, not the first one.',
    cites: ['contract.rewrite.checked-again'],
    async play(stage) {
      const { name } = stage.host.shell;
      stage.settings({
        permissions: { allow: [name], deny: [`${name}(*forbidden*)`] },
        hooks: changingTo(stage, stage.shell('touch forbidden').input),
      });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch first')] }, {}] });
      await session.prompt('Make a file.');
      expectThat(!stage.has('forbidden'), 'A hook’s changed input ran past a deny rule that names it.');
      expectThat(!stage.has('first'), 'The first input ran after a hook had replaced it.');
    },
  }),

  defineCase({
    id: 'rewrite.meets-schema',
    promise:
      'A changed input that the tool cannot take does not run; the model gets a failed result and goes on.',
    cites: ['contract.rewrite.checked-again'],
    async play(stage) {
      stage.settings({ ...allowShell(stage), hooks: changingTo(stage, { 'no such field': 1 }) });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch first')] }, {}] });
      const end = await session.prompt('Make a file.');
      expectSame(
        stage.seen('tool_start').length,
        0,
        'A call started with an input that its tool cannot take.',
      );
      expectThat(!stage.has('first'), 'The first input ran after a hook had replaced it.');
      expectSame(
        [end.kind, session.calls.length],
        ['completed', 2],
        'The model goes on after the failed call.',
      );
    },
  }),
];

/** Only where the input is not that already, as any careful hook would. */
function changingTo(stage: Stage, input: object) {
  const answer = JSON.stringify({ hookSpecificOutput: { updatedInput: input } });
  return {
    PreToolUse: [{ hooks: [stage.hook("case $payload in *first*) cat <<'END'", answer, 'END', ';; esac')] }],
  };
}
