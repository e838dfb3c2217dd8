// One conversation from its opening to its close.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import { allowShell } from './gate.ts';

export const sessionCases = [
  defineCase({
    id: 'session.block-opens-nothing',
    promise:
      'A block by SessionStart keeps the session from opening: the reason is told, and no session_start, SessionEnd or session_end follows.',
    cites: ['koder.event.sessionstart-block', 'contract.order.open'],
    async play(stage) {
      stage.settings({ hooks: { SessionStart: [{ hooks: [stage.refuses('not-on-fridays-4711')] }] } });
      const opened = await stage.start();
      expectThat(opened.kind === 'blocked', 'The session opened, although a SessionStart hook blocked it.');
      expectThat(
        opened.reason.includes('not-on-fridays-4711'),
        `The reason is ${JSON.stringify(opened.reason)}.`,
      );
      expectSame(
        stage.seen('session_start', 'SessionEnd', 'session_end').map(({ event }) => event),
        [],
        'Events were published for a session that never opened.',
      );
    },
  }),

  defineCase({
    id: 'session.order',
    promise:
      'SessionStart comes before session_start and SessionEnd before session_end, each once; session_end is the last event.',
    cites: [
      'contract.order.open',
      'codey.session.start-on-open',
      'codey.session.end-on-close',
      'koder.event.sessionstart-at-startup',
      'koder.event.sessionend-on-exit',
    ],
    async play(stage) {
      const session = await stage.open();
      await session.prompt('Say hello.');
      await session.close();
      await session.close();
      const events = stage.seen('SessionStart', 'session_start', 'SessionEnd', 'session_end');
      expectSame(
        events.map(({ event }) => event),
        ['SessionStart', 'session_start', 'SessionEnd', 'session_end'],
        'The session does not open and close in this order.',
      );
      expectSame(stage.seen().at(-1)?.event, 'session_end', 'Something was told after session_end.');
      expectSame(events[0]?.source, 'startup', 'source of SessionStart tells a new session.');
    },
  }),

  defineCase({
    id: 'session.one-id',
    promise: 'Every event of a session carries the same session id, and another session another one.',
    cites: ['codey.env.session', 'koder.event.sessionstart-payload', 'codey.session.tab-is-session'],
    async play(stage) {
      const ids = new Set<string>();
      for (const text of ['first', 'second']) {
        const session = await stage.open();
        const before = stage.seen().length;
        await session.prompt(text);
        await session.close();
        const told = stage.seen().slice(before);
        const own = new Set(told.map(({ session, session_id }) => session ?? session_id));
        expectSame(own.size, 1, 'Events of one session carry several ids.');
        for (const id of own) ids.add(String(id));
      }
      expectSame(ids.size, 2, 'Two sessions share an id.');
    },
  }),

  defineCase({
    id: 'session.start-text-is-context',
    promise: 'What a SessionStart hook prints as text is in the first model call.',
    cites: ['contract.output.text-as-context'],
    async play(stage) {
      stage.settings({ hooks: { SessionStart: [{ hooks: [stage.hook('echo oncall-4711')] }] } });
      const session = await stage.open();
      await session.prompt('Say hello.');
      expectThat(
        session.calls[0]?.conversation.includes('oncall-4711') === true,
        'Text that a SessionStart hook printed did not reach the model.',
      );
    },
  }),

  defineCase({
    id: 'session.once',
    promise:
      'A hook with "once" runs once in a session, over all its prompts, and again in the next session.',
    cites: ['koder.once.one-per-session', 'koder.once.next-session'],
    async play(stage) {
      const once = { ...stage.hook('echo ran >> ran'), once: true };
      stage.settings({ hooks: { UserPromptSubmit: [{ hooks: [once] }] } });
      for (const session of [await stage.open(), await stage.open()]) {
        await session.prompt('one');
        await session.prompt('two');
        await session.close();
      }
      expectSame(
        stage.read('ran'),
        'ran\nran\n',
        'A hook with "once" did not run once in each of two sessions.',
      );
    },
  }),

  defineCase({
    id: 'session.env-file',
    promise:
      'A variable that a SessionStart hook exports in its env file is in the environment of later shell calls.',
    cites: ['koder.env.env-file-given', 'koder.env.env-file-injects', 'koder.env.env-file-session-scoped'],
    async play(stage) {
      const first = stage.hook(
        '[ -e given ] || echo "export GIVEN=value-4711" >> "$KODER_ENV_FILE"; touch given',
      );
      stage.settings({ ...allowShell(stage), hooks: { SessionStart: [{ hooks: [first] }] } });
      const model = [{ calls: [stage.shell('echo "[$GIVEN]" >> values')] }, {}];
      for (const session of [await stage.open({ model }), await stage.open({ model })]) {
        await session.prompt('Show it.');
      }
      expectSame(
        stage.read('values'),
        '[value-4711]\n[]\n',
        'The variable is not in the environment of the shell in the session whose hook exported it, and only there.',
      );
    },
  }),

  defineCase({
    id: 'session.two-at-once',
    promise:
      'Two sessions in one process keep their projects apart: hooks run in the root of their own session and are told it.',
    cites: ['contract.engine.two-roots', 'koder.env.project-dir', 'codey.config.working-root'],
    async play(stage) {
      const where = stage.hook('echo "$(pwd -P) $KODER_PROJECT_DIR" >> where');
      stage.settings({ hooks: { UserPromptSubmit: [{ hooks: [where] }] } });
      const sessions = [await stage.open(), await stage.open({}, stage.otherProject)];
      await Promise.all(sessions.map((session) => session.prompt('Say hello.')));
      for (const root of [stage.project, stage.otherProject]) {
        expectSame(stage.read('where', root), `${root} ${root}\n`, 'A hook ran in the wrong project.');
      }
    },
  }),
];
