// Runs every `*.hooktest.yaml` of a folder: the expectations a team keeps of its hooks.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitCodes, StartError } from '../../start/exit.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import { writeJson } from '../write-json.ts';
import { ask, type AskOptions } from './ask.ts';
import { type Difference, differences } from './expectation.ts';
import { type FixtureCase, parseFixture } from './parse-fixture.ts';
import { type Question, readQuestion } from './question.ts';
import type { Tested } from './tested.ts';

const ending = '.hooktest.yaml';

interface Planned {
  readonly file: string;
  readonly fixture: FixtureCase;
  readonly question: Question;
}

interface Result {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly Difference[];
  readonly tested: Tested;
}

/** Nothing is run until every file is right. Exit code 1 where an expectation fails. Throws StartError for bad files. */
export async function testFixtures(place: string, options: AskOptions, json: boolean): Promise<number> {
  const { world, project } = options;
  const planned = await plan(await findFixtures(place), project.root, world.cwd);
  const results: Result[] = [];
  for (const { file, fixture, question } of planned) {
    const tested = await ask(question, options);
    const found = options.dryRun ? [] : differences(fixture.expected, tested);
    const { line, name } = fixture;
    const result = { file, line, name, passed: found.length === 0, differences: found, tested };
    results.push(result);
    if (!json) world.stdout.write(`${sanitise(renderResult(result))}\n`);
  }
  const failed = results.filter(({ passed }) => !passed).length;
  if (json) writeJson({ passed: results.length - failed, failed, cases: results }, world);
  else world.stdout.write(`\n${results.length - failed} of ${results.length} as expected\n`);
  return failed === 0 ? exitCodes.done : exitCodes.failed;
}

async function plan(files: readonly string[], root: string, cwd: string): Promise<readonly Planned[]> {
  const problems: string[] = [];
  const planned: Planned[] = [];
  for (const file of files) {
    const name = relative(cwd, file);
    const parsed = parseFixture(name, await readFile(file, 'utf8'));
    if (!parsed.ok) problems.push(...parsed.problems);
    for (const fixture of parsed.ok ? parsed.cases : []) {
      const read = readQuestion(fixture.asked, root);
      if (read.ok) planned.push({ file: name, fixture, question: read.question });
      else problems.push(...read.problems.map((problem) => `${name}:${fixture.line}  ${problem}`));
    }
  }
  if (problems.length > 0)
    throw new StartError(`No fixture was run: correct these first.\n${problems.join('\n')}`);
  return planned;
}

/** A file by itself, or every fixture below a folder, in the order of their names. */
async function findFixtures(place: string): Promise<readonly string[]> {
  const facts = await stat(place).catch(() => undefined);
  if (facts === undefined) throw new StartError(`--fixtures ${place} does not exist`);
  if (!facts.isDirectory()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (files.length === 0) throw new StartError(`--fixtures ${place} holds no *${ending}`);
  return files;
}

function renderResult({ file, line, name, passed, differences: found, tested }: Result): string {
  const head = `${passed ? 'ok    ' : 'not ok'}  ${file}:${line}  ${name}`;
  if (passed) return head;
  const width = Math.max(...found.map(({ what }) => what.length));
  return [
    head,
    ...found.flatMap(({ what, expected, got }) => [
      `        ${what.padEnd(width)}  expected  ${expected}`,
      `        ${' '.repeat(width)}  got       ${got}`,
    ]),
    ...tested.hooks.map(
      (hook) =>
        `        ${hook.name}: ${hook.outcome}${hook.explanation === undefined ? '' : `, ${hook.explanation}`}`,
    ),
  ].join('\n');
}
