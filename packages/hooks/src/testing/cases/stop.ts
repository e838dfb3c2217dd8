// When the agent believes it is done, the Stop hooks have the last word, within a limit.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { textOf } from '../stage.ts';

/** How often Stop hooks may send one run back to work; the last time ends it. */
const limit = 8;

export const stopCases = [
  defineCase({
    id: 'stop.asked-with-answer',
    promise: 'Stop fires once when the answer is final, with its text, before run_end.',
    cites: ['koder.event.stop-on-finish', 'koder.event.stop-payload'],
    async play(stage) {
      stage.settings({ permissions: { allow: [stage.host.shell.name] } });
      const session = await stage.open({
        model: [{ text: 'working', calls: [stage.shell('touch done')] }, { text: 'final-4711' }],
      });
      await session.prompt('Work.');
      const [stop, end] = stage.seen('Stop', 'run_end');
      expectSame([stop?.event, end?.event], ['Stop', 'run_end'], 'Stop fires before run_end.');
      expectSame(
        [stop?.last_assistant_message, stop?.stop_hook_active],
        ['final-4711', false],
        'The payload of Stop is not about the final answer.',
      );
    },
  }),

  defineCase({
    id: 'stop.block-ends-run',
    promise:
      'A block by Stop ends the run with an error that carries the reason; run_end names the hook and not its words.',
    cites: ['koder.event.stop-block', 'codey.run.error-is-host-message', 'codey.run.end-reason'],
    async play(stage) {
      stage.settings({ hooks: { Stop: [{ hooks: [stage.refuses('tests-missing-4711')] }] } });
      const session = await stage.open();
      const end = await session.prompt('Work.');
      expectSame([end.kind, session.calls.length], ['error', 1], 'A blocking Stop hook did not end the run.');
      expectThat(
        end.message.includes('tests-missing-4711'),
        `The user is not told why but ${JSON.stringify(end.message)}.`,
      );
      const [published] = stage.seen('run_end');
      expectSame(published?.reason, 'error', 'run_end says how the run ended.');
      const error = textOf(published, 'error');
      expectThat(
        error !== '' && !error.includes('4711'),
        `The error of run_end is ${JSON.stringify(error)}.`,
      );
    },
  }),

  defineCase({
    id: 'stop.continue-works-on',
    promise:
      'After "decision": "continue" the agent works on with the reason, and the next Stop says that it was sent back.',
    cites: ['contract.event.stop-continue', 'koder.event.stop-active-flag'],
    async play(stage) {
      const goOn = JSON.stringify({ decision: 'continue', reason: 'run-the-tests-4711' });
      const once = stage.hook(`case $payload in *'"stop_hook_active":false'*) echo '${goOn}';; esac`);
      stage.settings({ hooks: { Stop: [{ hooks: [once] }] } });
      const session = await stage.open({ model: [{ text: 'first' }, { text: 'second' }] });
      const end = await session.prompt('Work.');
      expectSame(
        [end.kind, session.calls.length],
        ['completed', 2],
        'The agent did not go back to work just once.',
      );
      expectThat(
        session.calls[1]?.conversation.includes('run-the-tests-4711') === true,
        'The model does not get the reason why it goes on.',
      );
      expectSame(
        stage.seen('Stop').map(({ stop_hook_active }) => stop_hook_active),
        [false, true],
        'stop_hook_active does not tell a first Stop from a later one.',
      );
      expectSame(stage.seen('run_start', 'run_end').length, 2, 'Going on is part of the same run.');
    },
  }),

  defineCase({
    id: 'stop.limit',
    promise: `A Stop hook that always says continue ends the run with an error at its ${limit}th time.`,
    cites: ['contract.event.stop-limit'],
    async play(stage) {
      const more = stage.says({ decision: 'continue', reason: 'more' });
      stage.settings({ hooks: { Stop: [{ hooks: [more] }] } });
      const session = await stage.open({
        model: () => (session.calls.length > limit * 2 ? { error: 'asked far too often' } : { text: 'done' }),
      });
      const end = await session.prompt('Work.');
      expectSame(
        [end.kind, session.calls.length, stage.seen('Stop').length],
        ['error', limit, limit],
        'The agent was not sent back to work up to the limit and no further.',
      );
      expectSame(
        stage.seen('run_end').map(({ error }) => error),
        ['stop_hook_limit'],
        'run_end says that the limit ended the run.',
      );
    },
  }),

  defineCase({
    id: 'stop.failure-is-told',
    promise:
      'When the provider fails, StopFailure fires with the error text before run_end, and Stop does not.',
    cites: ['koder.event.stopfailure-on-error', 'koder.event.stopfailure-payload', 'codey.run.end-reason'],
    async play(stage) {
      const session = await stage.open({ model: [{ error: 'no-quota-4711' }] });
      const end = await session.prompt('Work.');
      const told = stage.seen('Stop', 'StopFailure', 'run_end');
      expectSame(
        told.map(({ event }) => event),
        ['StopFailure', 'run_end'],
        'The events of a failed run are not these.',
      );
      expectThat(
        textOf(told[0], 'last_assistant_message').includes('no-quota-4711'),
        'StopFailure does not hold the error text.',
      );
      expectSame([end.kind, told[1]?.reason], ['error', 'error'], 'The run ends with an error.');
    },
  }),
];
