// One run without a screen: the result on stdout, everything else on stderr.
import type { RunOutcome, SessionEvent, TurnBoundary } from '@codey/agent';
import { promptDiskFiles } from '@codey/hooks';
import type { RunCommandLine } from '../cli/command-line.ts';
import { changedFiles } from '../start/describe-changes.ts';
import type { EditedSettings } from '../start/edited-settings.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { watchForLeaving } from '../start/leaving.ts';
import { readAll, readPiped } from '../start/piped-input.ts';
import { openSession } from '../start/session.ts';
import type { World } from '../start/world.ts';
import { createProgress } from '../terminal/progress.ts';
import { createResultOutput } from '../terminal/result-output.ts';
import { agentLine, awaitAgents, noteResults, runOrFork, withResults } from './agents.ts';
import { hookNotices } from './hook-notices.ts';
import type { PrintedCommand, PrintedSession } from './print-command.ts';
import { type Ended, resultObject, resultText } from './result.ts';
import { streamLine } from './stream-json.ts';
import { createTally } from './tally.ts';

type PrintCommandLine = RunCommandLine & {
  readonly mode: Extract<RunCommandLine['mode'], { kind: 'print' }>;
};

/** Returns the exit code. Throws StartError for what keeps the session from opening. */
export async function print(commandLine: PrintCommandLine, world: World): Promise<number> {
  const { outputFormat } = commandLine.mode;
  const { beginning, prompt } = await startReading(commandLine.mode.prompt, world);

  const tally = createTally();
  const denials: Denied[] = [];
  const progress = createProgress(world.notices.note);
  const output = createResultOutput(world, () => interrupt());
  let interrupt: () => void = () => {};
  const leave = watchForLeaving({ interrupt: () => interrupt(), say: world.notices.fail });
  try {
    const opened = await openSession(commandLine, world, {
      onEvent(event) {
        if (event.kind === 'denied') {
          denials.push(event);
          // Other forms have them in the result.
          if (outputFormat === 'text' && denials.length <= namedDenials) world.notices.warn(sayDenied(event));
        }
        if (event.kind === 'notice') world.notices.warn(event.text);
        if (event.kind === 'retry') {
          world.notices.note(`${event.message}; asking again in ${Math.ceil(event.delayMs / 1000)} s`);
        }
        if (event.kind === 'overflow') world.notices.note(sayOverflow(event));
        const line = outputFormat === 'stream-json' ? streamLine(event) : undefined;
        if (line !== undefined) output.write(line);
      },
      ...hookNotices(world.notices, progress),
      wrapJournal: tally.wrap,
      betweenTurns: (boundary, settings) => sayEdited(boundary, settings, world.notices),
      signals: leave.signals,
      files: promptDiskFiles,
      // Most commands ask no model; one that does is refused when it is read.
      withoutModel: isCommand(beginning) ? 'open' : 'refuse',
    });
    const { started, finish } = opened;
    if (started.kind === 'blocked') {
      await finish();
      const forced = leave.forced();
      const stop = forced === undefined ? 'start_blocked' : 'interrupted';
      const outcome: Ended = { ...nothing, stop, error: started.reason };
      output.write(resultText(outputFormat, resultObject(started.id, outcome, denials, tally.counts())));
      await output.drained();
      throw new StartError(
        `the session was not opened: ${started.reason}`,
        forced?.exitCode ?? exitCodes.failed,
      );
    }
    const { session } = started;
    interrupt = () => {
      session.interrupt();
      session.agents.cancelAll();
    };
    if (outputFormat === 'stream-json') {
      session.agents.watch((status) => output.write(agentLine(status)));
      output.write(`${JSON.stringify({ type: 'session', session_id: session.id })}\n`);
    }
    const text = await unlessAborted(prompt(), leave.signals.interrupted);
    // A pipe that somebody holds open would keep the program alive.
    if (text === undefined) world.stdin.destroy();
    const answered = await answer(text, { live: session, opened, world });
    const unasked = await awaitAgents(session, world.notices);
    const outcome: Ended =
      answered.kind === 'ran' ? withResults(answered.outcome, unasked) : answered.outcome;
    if (answered.kind !== 'ran') noteResults(unasked, world.notices);
    await session.close(leave.leaving());
    await finish();
    // Last, since SessionEnd hooks are counted as well.
    const result = resultObject(session.id, outcome, denials, tally.counts(), unasked);
    if (outputFormat !== 'text' || !isSilent(answered)) output.write(resultText(outputFormat, result));
    const unnamed = denials.length - namedDenials;
    if (outputFormat === 'text' && unnamed > 0)
      world.notices.warn(`${unnamed} more ${unnamed === 1 ? 'call was' : 'calls were'} not run`);
    if (result.is_error && outcome.error !== '') world.notices.fail(sayFailure(outcome));
    await output.drained();
    if (answered.kind === 'refused') return leave.forced()?.exitCode ?? exitCodes.usage;
    return (
      leave.forced()?.exitCode ?? (result.is_error || output.closed() ? exitCodes.failed : exitCodes.done)
    );
  } finally {
    leave.stop();
  }
}

type Denied = Extract<SessionEvent, { kind: 'denied' }>;

/** A model that insists must not fill the screen. */
const namedDenials = 5;

function sayDenied({ tool, reason }: Denied): string {
  const [first = ''] = reason.trim().split('\n', 1);
  return `${tool} was not run: ${first}`;
}

function sayOverflow({ agent, message }: Extract<SessionEvent, { kind: 'overflow' }>): string {
  return `${agent === 'main' ? '' : `${agent}: `}${message}; compacting the conversation`;
}

/** What a run comes to that never began. */
const nothing = { text: '', error: '', turns: 0, usage: { input: 0, output: 0 } };

type Answered =
  | { readonly kind: 'answered'; readonly outcome: RunOutcome }
  | Exclude<PrintedCommand, { readonly kind: 'prompt' }>;

/** By a command of codey, a fork, or the model. `text` is undefined where a signal came before it. */
async function answer(text: string | undefined, session: PrintedSession): Promise<Answered> {
  if (text === undefined) return { kind: 'answered', outcome: { ...nothing, stop: 'interrupted' } };
  if (!isCommand(text)) return { kind: 'answered', outcome: await session.live.prompt(text) };
  // Only whoever uses a command pays for what the screen is made of.
  const { printCommand } = await import('./print-command.ts');
  const printed = await printCommand(text, session);
  if (printed.kind !== 'prompt') return printed;
  const { missing } = session.opened;
  if (missing !== undefined)
    return { kind: 'refused', outcome: { ...nothing, stop: 'error', error: missing.message } };
  return { kind: 'answered', outcome: await runOrFork(printed.text, session.live) };
}

function isCommand(text: string): boolean {
  return text.trimStart().startsWith('/');
}

/** A command that did something and has nothing to say of it. */
function isSilent({ kind, outcome }: Answered): boolean {
  return kind === 'ran' && outcome.text === '';
}

/** Nobody is there to say yes. Before the prompt the files have just been read. */
async function sayEdited(
  { turn }: TurnBoundary,
  settings: EditedSettings,
  notices: World['notices'],
): Promise<void> {
  if (turn !== null) await sayOffer(settings, notices);
}

async function sayOffer({ look, decline }: EditedSettings, { warn }: World['notices']): Promise<void> {
  const offer = await look();
  switch (offer?.kind) {
    case undefined:
      return;
    case 'broken':
      return warn(offer.text);
    case 'changed':
      decline(offer.loaded);
      warn(
        `settings were edited during the run, and what was in force stays in force: ${changedFiles(offer.changes)}`,
      );
  }
}

/** What somebody pipes in may take for ever; undefined where a signal ends the waiting. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
    work.then(resolve, reject);
  });
}

function sayFailure({ stop, error }: Ended): string {
  switch (stop) {
    case 'prompt_blocked':
      return `the prompt was refused: ${error}`;
    case 'stop_blocked':
      return `the run was ended by a Stop hook: ${error}`;
    case 'halted':
      return `the run was ended by a hook: ${error}`;
    default:
      return error;
  }
}

/**
 * The prompt of the command line with what was piped in behind it. Beside a prompt the pipe is read while the session
 * opens; without one there is nothing to open a session for until it is read.
 */
async function startReading(
  written: string | undefined,
  world: World,
): Promise<{ readonly beginning: string; readonly prompt: () => Promise<string> }> {
  if (written === undefined || written.trim() === '') {
    const piped = await readAll(world.stdin);
    if (piped.trim() === '') throw new StartError('no prompt: write codey -p "…", or pipe one in');
    return { beginning: piped, prompt: async () => piped };
  }
  // What is piped in may well begin so, as Markdown does; on the command line it is the screen's way into a shell.
  if (/^\s*!\s*\S/.test(written))
    throw new StartError(
      '!line runs a line of your shell on the screen; under -p run it in the shell you are in, and pipe its output in',
    );
  const reading = readPiped(world, world.notices.note).catch(() => '');
  return {
    beginning: written,
    async prompt() {
      const piped = await reading;
      return piped.trim() === '' ? written : `${written}\n\n${piped}`;
    },
  };
}
