// A submitted prompt is asked about before anything happens with it.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { blocking } from './gate.ts';

export const promptCases = [
  defineCase({
    id: 'prompt.every-one-asks',
    promise: 'Each prompt asks the UserPromptSubmit hooks, with its text, before its run starts.',
    cites: ['koder.event.userpromptsubmit-every-prompt', 'koder.event.userpromptsubmit-payload'],
    async play(stage) {
      const session = await stage.open();
      await session.prompt('one-4711');
      await session.prompt('two-4712');
      const told = stage.seen('UserPromptSubmit', 'run_start');
      expectSame(
        told.map(({ event, prompt }) => prompt ?? event),
        ['one-4711', 'run_start', 'two-4712', 'run_start'],
        'UserPromptSubmit does not fire once for each prompt, before run_start.',
      );
    },
  }),

  defineCase({
    id: 'prompt.block-starts-nothing',
    promise: 'A blocked prompt makes no model call and no run, and the user is told why.',
    cites: ['koder.event.userpromptsubmit-block'],
    async play(stage) {
      stage.settings({ hooks: { UserPromptSubmit: [blocking(stage, 'secret', 'ask-otherwise-4711')] } });
      const session = await stage.open();
      const end = await session.prompt('Say the secret.');
      expectSame([end.kind, session.calls.length], ['refused', 0], 'A blocked prompt reached the model.');
      expectThat(
        end.message.includes('ask-otherwise-4711'),
        `The user is not told why but ${JSON.stringify(end.message)}.`,
      );
      expectSame(
        stage.seen('run_start', 'turn_start', 'Stop', 'run_end').map(({ event }) => event),
        [],
        'A run was published for a prompt that was refused.',
      );
    },
  }),

  defineCase({
    id: 'prompt.block-stores-nothing',
    promise: 'A blocked prompt is not part of the conversation that goes on after it.',
    cites: ['koder.event.userpromptsubmit-block'],
    async play(stage) {
      stage.settings({ hooks: { UserPromptSubmit: [blocking(stage, 'secret')] } });
      const session = await stage.open();
      await session.prompt('Say the secret-4711.');
      const end = await session.prompt('Say hello.');
      expectSame(end.kind, 'completed', 'The prompt after a blocked one does not run.');
      expectThat(
        session.calls.every(({ conversation }) => !conversation.includes('secret-4711')),
        'A blocked prompt came to the model with the next one.',
      );
    },
  }),

  defineCase({
    id: 'prompt.text-is-context',
    promise: 'What a UserPromptSubmit hook prints as text is in the model’s first call.',
    cites: ['contract.output.text-as-context'],
    async play(stage) {
      stage.settings({ hooks: { UserPromptSubmit: [{ hooks: [stage.hook('echo branch-4711')] }] } });
      const session = await stage.open();
      await session.prompt('Say hello.');
      expectThat(
        session.calls[0]?.conversation.includes('branch-4711') === true,
        'Text that a UserPromptSubmit hook printed did not reach the model.',
      );
    },
  }),
];
