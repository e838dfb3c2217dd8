import { expect, it } from 'vitest';
import { tally } from './tally.mjs';

const report = (passed: number, failed: number, unloaded: string[] = []) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    testResults: unloaded.map((name) => ({ name, status: 'failed', assertionResults: [] })),
  });

it.each([
  ['passing tests', report(3, 0), [], { passed: 3, failed: 0, reasons: [] }],
  ['failing tests, once each', report(3, 2), ['test'], { passed: 3, failed: 2, reasons: [] }],
  ['a failing check', report(3, 0), ['check'], { passed: 3, failed: 1, reasons: ['check failed'] }],
  ['a check and tests', report(3, 1), ['check', 'test'], { passed: 3, failed: 2, reasons: ['check failed'] }],
  [
    'a test run that failed by itself',
    report(3, 0),
    ['test'],
    { passed: 3, failed: 1, reasons: ['test failed'] },
  ],
  [
    'a file that did not load',
    report(3, 0, ['a.test.ts']),
    ['test'],
    { passed: 3, failed: 1, reasons: ['a.test.ts did not load'] },
  ],
  [
    'no report',
    undefined,
    ['install', 'test'],
    { passed: 0, failed: 2, reasons: ['install failed', 'test failed'] },
  ],
  ['no test at all', report(0, 0), [], { passed: 0, failed: 1, reasons: ['no test ran'] }],
])('counts %s', (_, text, stages, expected) => {
  expect(tally(text, stages)).toEqual(expected);
});
