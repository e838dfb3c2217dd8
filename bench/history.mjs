// The history of measurements in results.md: what was measured last, and the next entry under it.
// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./report.mjs').Row} Row */

const file = fileURLToPath(new URL('results.md', import.meta.url));
const head = `# Results

Written by \`npm run bench -- --record\`, newest entry first. A row that has a ratio is compared by it, any other by its value; one
that is more than a tenth worse than in the entry before it has its reason under the table.
`;
/** What two runs of the same code differ by on a machine that does other things too. */
const tolerance = 1.1;

/**
 * Rows that are worse than in the last entry, each as a sentence.
 * @param {readonly Row[]} rows
 * @returns {readonly string[]}
 */
export function worseThanLast(rows) {
  const last = lastEntry();
  return rows.flatMap((row) => {
    const before = last.get(row.name);
    const now = row.ratio ?? row.median;
    if (before === undefined || !(now > before * tolerance)) return [];
    return [`${row.name}: ${shown(now)}, was ${shown(before)}`];
  });
}

/**
 * @param {readonly Row[]} rows
 * @param {{ title: string, notes: readonly string[] }} entry
 */
export function record(rows, { title, notes }) {
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${shown(row.median)} ${row.unit} | ${shown(row.low)}–${shown(row.high)} | ${
        row.ratio === undefined ? '' : `${shown(row.ratio)} × ${row.against}`
      } | ${row.goal ?? ''} |`,
  );
  const entry = [
    `## ${title}`,
    '',
    '| what | median | middle half | ratio | goal |',
    '|---|---|---|---|---|',
    ...lines,
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
  writeFileSync(file, [head, ...entry, '', ...olderEntries()].join('\n'));
}

/** @returns {Map<string, number>} */
function lastEntry() {
  const [last = ''] = olderEntries()
    .join('\n')
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith('## '));
  return new Map(
    [...last.matchAll(/^\| (.+?) \| ([\d.]+) .*? \| .*? \| (?:([\d.]+) × .*?)? ?\| .*\|$/gm)].map(
      ([, name = '', median = '', ratio]) => [name, Number(ratio ?? median)],
    ),
  );
}

function olderEntries() {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const start = text.indexOf('\n## ');
  return start < 0 ? [] : text.slice(start + 1).split('\n');
}

/** @param {number} value */
function shown(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
