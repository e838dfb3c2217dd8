// Compaction through the whole program: a scripted conversation that fills the model's window.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bypass } from './play.ts';
import { group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

/** Plays a run whose second model call says how many tokens it was sent. */
function fill(...inputs: readonly number[]) {
  const look = inputs.map((input) => ({
    calls: [{ tool: 'run_shell', input: { command: 'ls' } }],
    usage: { input, output: 10 },
  }));
  const script = stage.write('script.json', {
    main: [...look, { text: 'done' }],
    agents: { compaction: [{ text: '<summary>It looked around.</summary>' }] },
  });
  return stage.codey(['-p', 'look around', '--model', `script:${script}`, ...bypass]);
}

const told = () =>
  stage.has('~/told')
    ? stage
        .read('~/told')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

it('comes by itself before the window is full, with its hooks around it [koder.event.compact-trigger-auto] [koder.event.compact-payload]', async () => {
  stage.write('~/.koder/settings.json', {
    hooks: {
      PreCompact: [group('cat >> "$HOME/told"', 'auto'), group('touch "$HOME/never"', 'manual')],
      PostCompact: [group('cat >> "$HOME/told"', 'auto')],
    },
  });
  expect(await fill(1_000, 170_000)).toMatchObject({ code: 0, stdout: 'done\n' });
  const [before, after] = told();
  expect(before).toMatchObject({ event: 'PreCompact', trigger: 'auto', messages_before: 5 });
  expect(before.tokens_before).toBeGreaterThanOrEqual(170_000);
  expect(after).toMatchObject({ event: 'PostCompact', tokens_before: before.tokens_before });
  expect(after.tokens_after).toBeLessThan(10_000);
  expect(stage.has('~/never')).toBe(false);
});

it('that a hook forbids ends the run where there is no room left, and the hook is named [koder.event.precompact-block]', async () => {
  stage.write('~/.koder/settings.json', {
    hooks: { PreCompact: [group('cat >> "$HOME/told"; echo "keep it all" >&2; exit 2')] },
  });
  const run = await fill(1_000, 170_000, 195_000, 196_000);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('keep it all');
  expect(told()).toHaveLength(2);
  expect(stage.journal()).toContainEqual(
    expect.objectContaining({ event: 'run_end', reason: 'error', error: 'ended by hook settings.json:6' }),
  );
});
