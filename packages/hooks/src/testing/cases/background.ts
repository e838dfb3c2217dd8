// Hooks that nobody waits for: they decide nothing, and what they say comes with a later turn.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { allowShell } from './gate.ts';

/** Turns a background hook may take to end; each is a real shell call. */
const mostTurns = 100;

export const backgroundCases = [
  defineCase({
    id: 'background.context-comes-later',
    promise: 'additionalContext of an async hook is in a model call after the hook has ended.',
    cites: ['contract.async.context-next-turn', 'koder.async.background'],
    async play(stage) {
      const answer = JSON.stringify({ hookSpecificOutput: { additionalContext: 'linted-4711' } });
      const lint = {
        ...stage.hook('while [ ! -e go ]; do sleep 0.02; done', `echo '${answer}'`),
        async: true,
        once: true,
      };
      stage.settings({ ...allowShell(stage), hooks: { PostToolUse: [{ hooks: [lint] }] } });
      let early = false;
      const session = await stage.open({
        model({ conversation }) {
          const arrived = conversation.includes('linted-4711');
          if (!stage.has('go')) early ||= arrived;
          if (arrived || session.calls.length > mostTurns) return { text: 'done' };
          // The hook is let go in the second turn: the first has ended without it.
          return { calls: [stage.shell(session.calls.length === 1 ? 'true' : 'touch go')] };
        },
      });
      await session.prompt('Work.');
      expectThat(!early, 'The context was there before the hook had printed it.');
      expectThat(
        session.calls.at(-1)?.conversation.includes('linted-4711') === true,
        `The context of an async hook did not reach the model in ${mostTurns} turns.`,
      );
    },
  }),

  defineCase({
    id: 'background.decides-nothing',
    promise: 'An async hook blocks nothing and holds nothing up, whatever it prints or exits with.',
    cites: ['contract.async.never-decides', 'koder.async.background'],
    async play(stage) {
      const deny = {
        ...stage.hook('while [ ! -e done ]; do sleep 0.02; done', 'echo no >&2', 'exit 2'),
        async: true,
      };
      stage.settings({ ...allowShell(stage), hooks: { PreToolUse: [{ hooks: [deny] }] } });
      const session = await stage.open({ model: [{ calls: [stage.shell('touch done')] }, {}] });
      const end = await session.prompt('Make a file.');
      // The hook waits for what its call does: an agent that waited for the hook would not get here.
      expectThat(stage.has('done'), 'An async hook kept the call from running.');
      expectSame(end.kind, 'completed', 'An async hook ended the run.');
    },
  }),
];
