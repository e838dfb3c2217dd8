// The last line of a CI run: `N passed, N failed`, from the report of the tests and the names of the stages that failed.
// @ts-check
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A failed test counts once. A stage that failed counts once where no test shows why: an install, a check, a test file
 * that did not load, processes left behind. A run without a report or without a test has failed.
 * @param {string | undefined} report JSON as vitest writes it; undefined where it wrote none.
 * @param {readonly string[]} failedStages
 * @returns {{ passed: number, failed: number, reasons: string[] }}
 */
export function tally(report, failedStages) {
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    testResults = [],
  } = report === undefined ? {} : JSON.parse(report);
  const unloaded = /** @type {{ name: string, status: string, assertionResults: unknown[] }[]} */ (
    testResults
  ).filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  const shown = numFailedTests + unloaded.length > 0;
  const stages = failedStages.filter((stage) => stage !== 'test' || !shown);
  const missing = numPassedTests + numFailedTests === 0 && !failedStages.includes('test');
  const reasons = [
    ...unloaded.map(({ name }) => `${name} did not load`),
    ...stages.map((stage) => `${stage} failed`),
    ...(missing ? ['no test ran'] : []),
  ];
  return { passed: numPassedTests, failed: numFailedTests + reasons.length, reasons };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = '', ...failedStages] = process.argv.slice(2);
  const { passed, failed, reasons } = tally(readReport(file), failedStages);
  for (const reason of reasons) console.log(reason);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/** @param {string} file */
function readReport(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
