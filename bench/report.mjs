// A table a person reads, and the line that goes into the history.
// @ts-check

/**
 * @typedef {{
 *   readonly name: string, readonly median: number, readonly low: number, readonly high: number, readonly runs: number,
 *   readonly unit: string, readonly ratio?: number, readonly against?: string, readonly goal?: number,
 * }} Row
 */

/** @param {readonly Row[]} rows @returns {string} */
export function table(rows) {
  const lines = rows.map((row) => [
    row.name,
    `${number(row.median)} ${row.unit}`,
    `${number(row.low)}–${number(row.high)}`,
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}× ${row.against}`,
    row.goal === undefined ? '' : `goal ${row.goal}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @param {number} value */
function number(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
