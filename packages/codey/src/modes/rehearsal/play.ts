// Plays a story on a stage: one session, its timeline on stdout, and whether everything came as expected.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Human } from '@codey/agent';
import { type HookSnapshot, type JournalEntry, whatRuns, monotonicMs } from '@codey/hooks';
import type { RunCommandLine } from '../../cli/command-line.ts';
import { parseCommandLine } from '../../cli/parse.ts';
import { exitCodes, StartError } from '../../start/exit.ts';
import { watchForLeaving } from '../../start/leaving.ts';
import { openSession } from '../../start/session.ts';
import type { World } from '../../start/world.ts';
import { createProgress } from '../../terminal/progress.ts';
import { hookNotices } from '../hook-notices.ts';
import { say } from './say.ts';
import type { Stage } from './stage.ts';
import type { Story } from './story.ts';
import { timelineLines } from './timeline.ts';
import { type Unmet, unmetExpectations } from './unmet.ts';

/** `name` is what problems of the story are named by. Returns the exit code. */
export async function play(story: Story, name: string, stage: Stage, world: World): Promise<number> {
  const script = join(stage.folder, 'story.yaml');
  await writeFile(script, story.script);
  const started = monotonicMs();
  const entries: JournalEntry[] = [];
  const names = new Map<string, string>();
  const shown = hookNotices(world.notices, createProgress(world.notices.note));
  const { asked, human } = standIn(story.approve, world);
  let interrupt: () => void = () => {};
  const leave = watchForLeaving({ interrupt: () => interrupt(), say: world.notices.fail });
  try {
    const {
      started: opened,
      project,
      finish,
    } = await openSession(
      runLine(story, script, stage),
      { ...world, home: stage.home, cwd: stage.workspace, environment: stage.environment },
      {
        onEvent: () => {},
        onHookNotice: shown.onHookNotice,
        observer: {
          started(run) {
            names.set(run.hook.id, whatRuns(run.hook));
            shown.observer.started(run);
          },
          ended: shown.observer.ended,
        },
        wrapJournal: (journal) => ({
          ...journal,
          append(entry) {
            entries.push(entry);
            for (const line of timelineLines(entry, monotonicMs() - started, names)) say(world, line);
            journal.append(entry);
          },
        }),
        human,
        signals: leave.signals,
        rehearsed: true,
        ...(stage.openProject !== undefined && { openProject: stage.openProject }),
      },
    ).catch((error: unknown) => {
      throw error instanceof StartError
        ? new StartError(error.message.replaceAll(script, name), error.exitCode)
        : error;
    });
    let stopped = opened.kind === 'blocked' ? `the session was not opened: ${opened.reason}` : undefined;
    if (opened.kind === 'open') {
      interrupt = opened.session.interrupt;
      const outcome = await opened.session.prompt(story.prompt);
      await opened.session.close(leave.leaving());
      if (outcome.stop === 'completed') say(world, `\nAnswer: ${outcome.text}`);
      else stopped = `the run ended as ${outcome.stop}: ${outcome.error}`;
    }
    await finish();
    if (stopped !== undefined) say(world, `\n${stopped}`);
    if (asked() > 0)
      say(world, `${asked()} ${asked() === 1 ? 'approval was' : 'approvals were'} answered for you.`);
    const forced = leave.forced()?.exitCode;
    if (forced !== undefined) return forced;
    return judge(story, name, entries, project.snapshot, stopped !== undefined, world);
  } finally {
    leave.stop();
  }
}

/** A story with expectations is judged by them alone: that a run fails may be what is expected. */
function judge(
  { expectations }: Story,
  name: string,
  entries: readonly JournalEntry[],
  snapshot: HookSnapshot,
  stopped: boolean,
  world: World,
): number {
  if (expectations.length === 0) return stopped ? exitCodes.failed : exitCodes.done;
  const names = new Map([...snapshot.policy, ...snapshot.lifecycle].map((hook) => [hook.id, whatRuns(hook)]));
  const unmet = unmetExpectations(expectations, entries, names);
  say(world, '');
  for (const one of unmet) say(world, describeUnmet(one, name));
  say(world, `${expectations.length - unmet.length} of ${expectations.length} expectations met`);
  return unmet.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** Of what came in the place of something expected. */
const mostShown = 5;

function describeUnmet({ expectation, times, came }: Unmet, name: string): string {
  const { line, times: wanted, ...facts } = expectation;
  const said = Object.entries(facts)
    .filter(([, value]) => typeof value === 'string' || Object.keys(value).length > 0)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const often = wanted === undefined ? '' : ` ${wanted} times, came ${times} times`;
  return [
    `not met  ${name}:${line}  ${said.join(', ')}${often}`,
    ...came.slice(0, mostShown).map((what) => `           came: ${what}`),
    ...(came.length > mostShown ? [`           and ${came.length - mostShown} more`] : []),
    ...(came.length === 0 ? ['           nothing of the kind came'] : []),
  ].join('\n');
}

/** Answers everything that reaches a person, so that the story shows `blocked` and `unblocked` too. */
function standIn(approves: boolean, world: World): { readonly human: Human; readonly asked: () => number } {
  let count = 0;
  return {
    asked: () => count,
    human: {
      async approve(request) {
        count += 1;
        say(
          world,
          `${' '.repeat(11)}? ${request.message}   (the rehearsal answers ${approves ? 'yes' : 'no'})`,
        );
        return approves ? { kind: 'once' } : { kind: 'deny' };
      },
      answer: async (questions) => questions.map((question) => question.options[0]?.label ?? ''),
    },
  };
}

/** The same command line a person would type. */
function runLine(story: Story, script: string, stage: Stage): RunCommandLine {
  const parsed = parseCommandLine(['-p', story.prompt, '--model', `script:${script}`, ...stage.flags]);
  if (parsed.kind !== 'run') throw new Error('the rehearsal wrote a command line that does not parse');
  return parsed;
}
