// `npm run bench [-- --rounds N] [start|turns|engine …]`: prints what is measured, as ratios of runs made in turn.
// @ts-check
import { parseArgs } from 'node:util';
import { engine } from './cases/engine.mjs';
import { start } from './cases/start.mjs';
import { turns } from './cases/turns.mjs';
import { table } from './report.mjs';

// Each Node process pays for it at its start, on Node 20 more than for the program itself.
delete process.env.NODE_EXTRA_CA_CERTS;

const cases = { start, turns, engine };
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const unknown = positionals.filter((name) => !Object.hasOwn(cases, name));
if (!Number.isInteger(rounds) || rounds < 1 || unknown.length > 0) {
  console.error(`usage: npm run bench [-- --rounds N] [${Object.keys(cases).join('|')} …]`);
  process.exit(2);
}
console.log(
  `Node ${process.versions.node}, ${rounds} rounds in turn; medians, then the middle half of the runs.\n`,
);
for (const [name, run] of Object.entries(cases)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`${table(await run(rounds))}\n`);
}
