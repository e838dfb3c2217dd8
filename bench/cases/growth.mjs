// Whether a session gets slower as it gets longer, and how long it takes to open a very long one again.
// @ts-check
import { interleave, ratio, spread } from '../measure.mjs';
import { loadAgentPackage } from '../package.mjs';
import { createStage } from '../stage.mjs';

const sizes = [10, 1_000, 100_000];
/** Entries that are timed at each size. */
const timed = 5_000;

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function growth(rounds) {
  const agent = await loadAgentPackage();
  const stage = createStage();
  const store = agent.openSessionStore({
    home: stage.home,
    projectRoot: stage.project,
    pid: process.pid,
    now: Date.now,
    onNotice: () => {},
  });
  const sessions = await Promise.all(
    sizes.map(async (size) => {
      const session = await store.create(stage.project);
      append(session, size);
      await session.flush();
      return session;
    }),
  );
  try {
    const runs = await interleave(
      Object.fromEntries(
        sessions.map((session, index) => [
          String(sizes[index]),
          async () => {
            const started = performance.now();
            append(session, timed);
            session.state();
            await session.flush();
            return ((performance.now() - started) / timed) * 1000;
          },
        ]),
      ),
      rounds,
    );
    const first = runs[String(sizes[0])] ?? [];
    const rows = sizes.map((size) => ({
      name: `one entry more, at ${size.toLocaleString('en-US')} messages`,
      ...spread(runs[String(size)] ?? []),
      unit: 'µs',
      ...(size !== sizes[0] && {
        ratio: ratio(runs[String(size)] ?? [], first),
        against: `at ${sizes[0]}`,
        goal: 1.2,
      }),
    }));
    const longest = sessions.at(-1);
    const id = longest?.id ?? '';
    await longest?.close('exit');
    const reopened = [];
    for (let round = 0; round < Math.min(rounds, 5); round += 1) {
      const started = performance.now();
      const opened = await store.open(id);
      reopened.push(performance.now() - started);
      if (opened.kind === 'opened') await opened.session.close('exit');
    }
    return [...rows, { name: 'resume of 100,000 messages', ...spread(reopened), unit: 'ms', goal: 1000 }];
  } finally {
    for (const session of sessions.slice(0, -1)) await session.close('exit');
    stage.remove();
  }
}

/** @param {{ append: (entry: any) => unknown }} session @param {number} count */
function append(session, count) {
  for (let index = 0; index < count; index += 1) {
    session.append(
      index % 2 === 0
        ? { kind: 'prompt', agent: 'main', text: `question ${index}`, from: { kind: 'user' } }
        : {
            kind: 'answer',
            agent: 'main',
            text: `answer ${index}`,
            calls: [],
            usage: { input: 10, output: 5 },
            from: { kind: 'model', model: 'script:bench' },
          },
    );
  }
}
