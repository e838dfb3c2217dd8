// `codey hooks test`: what the hooks of this project say about an event, now and here.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { familyOfThisProcess } from '../start/family.ts';
import { readAll } from '../start/piped-input.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { ask, type AskOptions } from './hook-test/ask.ts';
import { type Asked, readQuestion } from './hook-test/question.ts';
import { renderTested } from './hook-test/render.ts';
import { openHere } from './open-here.ts';
import { knownTools, mayNameServer, suggestTools } from './validate/known-tools.ts';
import { writeJson } from './write-json.ts';

type Test = Extract<NamedCommandLine, { command: 'hooks test' }>;

/** Exit code 1 where an expectation of a fixture fails; a question by itself has no wrong answer. */
export async function hooksTest(commandLine: Test, world: World): Promise<number> {
  const { flags } = commandLine;
  if (flags.trustProjectHooks) refuseToAgents('--trust-project-hooks');
  const { trustProjectHooks, cwd, settings } = flags;
  const project = await openHere(
    { trustProjectHooks, ...(cwd !== undefined && { cwd }), ...(settings !== undefined && { settings }) },
    world,
    'hooks test',
  );
  const options: AskOptions = { project, world, depth: familyOfThisProcess().depth, dryRun: flags.dryRun };
  if (flags.fixtures !== undefined) {
    const { testFixtures } = await import('./hook-test/fixtures.ts');
    return testFixtures(path.resolve(world.cwd, flags.fixtures), options, flags.json);
  }
  const read = readQuestion(await readAsked(commandLine, world), project.root);
  if (!read.ok) throw new StartError(read.problems.join('\n'));
  if (flags.tool !== undefined) sayUnknown(flags.tool, world);
  const tested = await ask(read.question, options);
  if (flags.json) writeJson(tested, world);
  else world.stdout.write(`${sanitise(renderTested(tested))}\n`);
  return exitCodes.done;
}

/** It may be asked about all the same: a matcher is only a pattern. */
function sayUnknown(tool: string, { notices }: World): void {
  const tools = knownTools([]);
  if (!tools.includes(tool) && !mayNameServer(tool))
    notices.warn(`no tool is called ${tool}: ${suggestTools([tool], tools)}`);
}

async function readAsked({ arguments: { event = '' }, flags }: Test, world: World): Promise<Asked> {
  const { tool, input, payload } = flags;
  return {
    event,
    ...(tool !== undefined && { tool }),
    ...(input !== undefined && { input: parseObject(input, '--input') }),
    ...(payload !== undefined && { payload: parseObject(await readPayload(payload, world), payload) }),
  };
}

/** `-` is stdin, as with most tools. */
async function readPayload(name: string, world: World): Promise<string> {
  if (name === '-') return readAll(world.stdin);
  try {
    return await readFile(path.resolve(world.cwd, name), 'utf8');
  } catch (error) {
    throw new StartError(
      `--payload ${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    );
  }
}

function parseObject(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StartError(`${what} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StartError(`${what} must be a JSON object, such as {"command": "git push"}`);
  return value as Readonly<Record<string, unknown>>;
}
