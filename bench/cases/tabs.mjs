// What the full screen holds with eight tabs of ten thousand lines each, on a terminal of its own.
// @ts-check
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spread } from '../measure.mjs';
import { createStage } from '../stage.mjs';
import { openTerminal } from '../terminal.mjs';

const tabs = 8;
const answers = 100;
/** Of one answer; on screen its paragraphs and its call take a few more. */
const answerLines = 100;
const lastWords = 'That was all of it.';

const ctrlT = '\u0014';

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function screenfuls(rounds) {
  /** @type {{ peakMb: number, heldMb: number }[]} */
  const runs = [];
  for (let round = 0; round < Math.min(rounds, 3); round += 1) runs.push(await fillTabs());
  return [
    {
      name: `memory held, ${tabs} tabs of ${answers * answerLines} lines`,
      ...spread(runs.map(({ heldMb }) => heldMb)),
      unit: 'MB',
      goal: 160,
    },
    { name: 'its peak', ...spread(runs.map(({ peakMb }) => peakMb)), unit: 'MB', goal: 200 },
  ];
}

async function fillTabs() {
  const stage = createStage();
  const script = join(stage.folder, 'long.json');
  writeFileSync(join(stage.project, 'notes.txt'), 'one\ntwo\nthree\n');
  writeFileSync(script, JSON.stringify(longStory()));
  const terminal = openTerminal(['--model', `script:${script}`], {
    cwd: stage.project,
    env: stage.environment(),
  });
  try {
    for (let tab = 0; tab < tabs; tab += 1) {
      if (tab > 0) {
        terminal.forget();
        terminal.write(ctrlT);
      }
      await terminal.see(`${tab + 1} project`);
      terminal.forget();
      terminal.write('tell me everything\r');
      await terminal.see(lastWords);
    }
    // Garbage of the last answers is no property of the tabs; V8 clears it when nothing happens for a moment.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return { peakMb: terminal.megabytes('VmHWM'), heldMb: terminal.megabytes('VmRSS') };
  } finally {
    await terminal.hangUp();
    stage.remove();
  }
}

/** Prose, lists and code as models write them, a file read between two answers. */
function longStory() {
  const story = Array.from({ length: answers }, (_, answer) => ({
    text: Array.from({ length: answerLines / 10 }, (_, part) => tenLines(answer * 10 + part)).join('\n'),
    calls: [{ tool: 'read_file', input: { path: 'notes.txt' } }],
  }));
  return [...story, { text: lastWords }];
}

/** @param {number} number */
function tenLines(number) {
  return [
    `Step ${number}: the handler reads \`config.${number}\` before it opens the **socket**, so that a bad value is told at once.`,
    '',
    `- a first remark about module ${number}, which is not long`,
    `- a second one, with a [link](https://example.com/${number})`,
    '',
    '```ts',
    `export function step${number}(input: string): number {`,
    `  return input.length + ${number}; // as before`,
    '}',
    '```',
  ].join('\n');
}
