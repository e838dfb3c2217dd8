// `npm run bench [-- --rounds N --node path --record --reason "…"] [start|turns|engine …]`: prints what is measured, as ratios of
// runs made in turn, and keeps it in results.md.
// @ts-check
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { agents } from './cases/agents.mjs';
import { day } from './cases/day.mjs';
import { engine } from './cases/engine.mjs';
import { growth } from './cases/growth.mjs';
import { screen } from './cases/screen.mjs';
import { start } from './cases/start.mjs';
import { screenfuls } from './cases/tabs.mjs';
import { typing } from './cases/keys.mjs';
import { turns } from './cases/turns.mjs';
import { record, worseThanLast } from './history.mjs';
import { table } from './report.mjs';

// Each Node process pays for it at its start, on Node 20 more than for the program itself.
delete process.env.NODE_EXTRA_CA_CERTS;

const cases = { start, turns, engine, screen, keys: typing, tabs: screenfuls, growth, agents, day };
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    // Other versions of Node, whose starts are measured as well.
    node: { type: 'string', multiple: true, default: [] },
    record: { type: 'boolean', default: false },
    reason: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const unknown = positionals.filter((name) => !Object.hasOwn(cases, name));
if (!Number.isInteger(rounds) || rounds < 1 || unknown.length > 0) {
  console.error(
    `usage: npm run bench [-- --rounds N --node path --record --reason "…"] [${Object.keys(cases).join('|')} …]`,
  );
  process.exit(2);
}
console.log(
  `Node ${process.versions.node}, ${rounds} rounds in turn; medians, then the middle half of the runs.\n`,
);
/** @type {import('./report.mjs').Row[]} */
const measured = [];
for (const [name, run] of Object.entries(cases)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const rows = await run(rounds, values.node);
  measured.push(...rows);
  console.log(`${table(rows)}\n`);
}
if (values.record) keep();

/** A row that got worse is kept with its reason or not at all. */
function keep() {
  const worse = worseThanLast(measured);
  if (worse.length > 0 && values.reason.length === 0) {
    console.error(
      `worse than in the last entry:\n${worse.map((row) => `  ${row}`).join('\n')}\nNothing was recorded; say why with --reason.`,
    );
    process.exitCode = 1;
    return;
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  record(measured, {
    title: `${date}, ${commit}, Node ${process.versions.node}, ${cpus().length} cores, ${rounds} rounds`,
    notes: worse.length === 0 ? [] : [`Worse: ${worse.join('; ')}. ${values.reason.join(' ')}`],
  });
  console.log('recorded in bench/results.md');
}
