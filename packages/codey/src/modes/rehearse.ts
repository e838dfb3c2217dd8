// A whole session on a scripted model, in a throw-away copy: shows what hooks would do without a key or a network.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Human } from '@codey/agent';
import type { NamedCommandLine, RunCommandLine } from '../cli/command-line.ts';
import { parseCommandLine } from '../cli/parse.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { watchForLeaving } from '../start/leaving.ts';
import { openSession } from '../start/session.ts';
import type { World } from '../start/world.ts';
import { createProgress } from '../terminal/progress.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { hookNotices } from './hook-notices.ts';
import { samplePrompt, sampleScript, sampleWorkspace } from './rehearsal/sample.ts';
import { timelineLines } from './rehearsal/timeline.ts';

type Rehearse = Extract<NamedCommandLine, { command: 'rehearse' }>;

/** Returns the exit code. Nothing outside the temporary folder is read or written. */
export async function rehearse(commandLine: Rehearse, world: World): Promise<number> {
  if (commandLine.arguments.script !== undefined) {
    throw new StartError(
      'rehearsing your own story is not part of this version; "codey rehearse --sample" plays the built-in one',
    );
  }
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'codey-rehearsal-')));
  try {
    const stage = await buildStage(folder);
    say(
      world,
      `Rehearsing in ${stage.workspace}: a sample project with sample hooks, a scripted model, no network.`,
    );
    say(world, `Prompt: ${samplePrompt}\n`);
    return await play(stage, world);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Stage {
  readonly workspace: string;
  readonly home: string;
  readonly script: string;
}

async function buildStage(folder: string): Promise<Stage> {
  const stage = {
    workspace: path.join(folder, 'greeter'),
    home: path.join(folder, 'home'),
    script: path.join(folder, 'story.yaml'),
  };
  await mkdir(stage.home, { recursive: true });
  for (const [name, text] of Object.entries(sampleWorkspace)) {
    const file = path.join(stage.workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    if (name.endsWith('.sh')) await chmod(file, 0o755);
  }
  await writeFile(stage.script, sampleScript);
  await promisify(execFile)('git', ['init', '--quiet', stage.workspace]).catch(() => {
    // Without git the workspace is a project all the same, by its .codey folder.
  });
  return stage;
}

async function play(stage: Stage, world: World): Promise<number> {
  const started = performance.now();
  const { HOME: _home, ...rest } = world.environment;
  const { openCount, human } = agreeableHuman(world);
  let interrupt: () => void = () => {};
  const leave = watchForLeaving({ interrupt: () => interrupt(), say: world.notices.fail });
  try {
    const { started: opened, finish } = await openSession(
      runLine(stage),
      { ...world, home: stage.home, cwd: stage.workspace, environment: { ...rest, HOME: stage.home } },
      {
        onEvent: () => {},
        ...hookNotices(world.notices, createProgress(world.notices.note)),
        wrapJournal: (journal) => ({
          ...journal,
          append(entry) {
            for (const line of timelineLines(entry, performance.now() - started)) say(world, line);
            journal.append(entry);
          },
        }),
        human,
        signals: leave.signals,
      },
    );
    if (opened.kind === 'blocked') throw new StartError(opened.reason, exitCodes.failed);
    interrupt = opened.session.interrupt;
    const outcome = await opened.session.prompt(samplePrompt);
    await opened.session.close(leave.leaving());
    await finish();
    say(world, `\nAnswer: ${outcome.text}`);
    say(
      world,
      `${openCount()} approval ${openCount() === 1 ? 'was' : 'were'} answered for you. Write your own hooks: docs/hooks.md`,
    );
    return leave.forced()?.exitCode ?? (outcome.stop === 'completed' ? exitCodes.done : exitCodes.failed);
  } finally {
    leave.stop();
  }
}

/** Says yes to everything that reaches a human, so that the story shows `blocked` and `unblocked` too. */
function agreeableHuman(world: World): { readonly human: Human; readonly openCount: () => number } {
  let count = 0;
  return {
    openCount: () => count,
    human: {
      async approve(request) {
        count += 1;
        say(world, `${' '.repeat(11)}? ${request.message}   (the rehearsal answers yes)`);
        return { kind: 'once' };
      },
      answer: async (questions) => questions.map((question) => question.options[0]?.label ?? ''),
    },
  };
}

/** The same command line a person would type. */
function runLine(stage: Stage): RunCommandLine {
  const parsed = parseCommandLine([
    '-p',
    samplePrompt,
    '--model',
    `script:${stage.script}`,
    '--trust-project-hooks',
  ]);
  if (parsed.kind !== 'run') throw new Error('the rehearsal wrote a command line that does not parse');
  return parsed;
}

function say(world: World, text: string): void {
  world.stdout.write(`${sanitise(text)}\n`);
}
