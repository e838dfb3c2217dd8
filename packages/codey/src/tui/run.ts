// One stay on the full screen: takes the terminal, lives through signals and defects, closes every session, gives it back.
import { createForkServer } from '@codey/hooks';
import type { RunCommandLine } from '../cli/command-line.ts';
import type { SetupEnd } from '../setup/open-wizard.ts';
import { exitCodes } from '../start/exit.ts';
import type { HerdrReporting } from '../start/herdr.ts';
import { watchForLeaving } from '../start/leaving.ts';
import type { World } from '../start/world.ts';
import type { Notices } from '../terminal/notices.ts';
import { createApp } from './app.ts';
import type { OpenWhat } from './ports.ts';
import { sayEnded } from './state/at-work.ts';
import { AskingTerminal } from './screen/asking-terminal.ts';
import { machineClock } from './screen/clock.ts';
import { createHighlighter } from './screen/highlight.ts';
import { createScreen, type Screen } from './screen/screen.ts';
import { createStyle, wantsColour } from './screen/style.ts';
import { openAddress } from './session/open-address.ts';
import { createSessionHost } from './session/open-tab.ts';
import { showInEditor } from './session/show-in-editor.ts';

/** Returns the exit code. Throws StartError for what keeps the first session from opening; the terminal is whole then. */
export async function runScreen(
  commandLine: RunCommandLine,
  world: World,
  herdr?: HerdrReporting,
): Promise<number> {
  const style = createStyle(wantsColour(world.environment));
  const terminal = new AskingTerminal(machineClock);
  const screen = createScreen(terminal, style, machineClock);
  const said: string[] = [];
  let ended: readonly string[] = [];
  let resumable: readonly string[] = [];
  let stopWaiting: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stopWaiting = resolve;
  });
  const leave = watchForLeaving({
    // Closing a session ends what runs in it.
    interrupt: () => stopWaiting(),
    // What is said while the screen is there is said when it is gone.
    say: (text) => void said.push(text),
  });
  // A terminal that went away must not turn every frame into a defect; the signal that comes with it ends the program.
  const ignore = (): void => {};
  process.stdout.on('error', ignore);
  // While the shell has the terminal nothing else keeps the program from ending.
  const staying = setInterval(() => {}, 60_000);
  const onContinue = (): void => restart(screen);
  /** The first start's: what it says stands in front of the shell, too, where no session opens after it. */
  const forks = createForkServer();
  const firstSetUp = (notices: Notices): Promise<SetupEnd> => setUp(both(world.notices, notices), false);
  /** Aside its questions are gone with it. */
  const setUp = async (notices: Notices, aside: boolean): Promise<SetupEnd> => {
    await giveBack(screen, terminal);
    try {
      const { openWizard } = await import('../setup/open-wizard.ts');
      if (aside) stepAside();
      return await openWizard(commandLine.flags, { ...world, notices });
    } finally {
      if (aside) stepBack();
      restart(screen);
    }
  };
  let isAside = false;
  const stepAside = (): void => {
    isAside = true;
    world.stdout.write('\u001b[?1049h\u001b[2J\u001b[H');
  };
  const stepBack = (): void => {
    if (isAside) world.stdout.write('\u001b[?1049l');
    isAside = false;
  };
  try {
    const app = createApp({
      screen,
      style,
      highlighter: createHighlighter(style),
      clock: machineClock,
      host: await createSessionHost({
        commandLine,
        world,
        clock: machineClock,
        signals: leave.signals,
        forks,
        ...(herdr !== undefined && { opened: herdr.follow }),
        setUp: firstSetUp,
      }),
      setUp: (notices) => setUp(notices, true),
      inView: (session) => herdr?.visible(session),
      cwd: world.cwd,
      ...(herdr !== undefined && { saidBefore: herdr.notice }),
      openAddress,
      suspend() {
        void giveBack(screen, terminal).then(() => {
          process.once('SIGCONT', onContinue);
          // The whole group, as the terminal itself would: whoever started the program waits for it too. Before that herdr is
          // told, by a process of this group.
          const stop = (): void => void process.kill(0, 'SIGTSTP');
          if (herdr === undefined) stop();
          else void herdr.suspend().then(stop);
        });
      },
      async editFile(file, line) {
        await giveBack(screen, terminal);
        try {
          return await showInEditor(file, line, world.environment);
        } finally {
          restart(screen);
        }
      },
      hurry: () => process.kill(process.pid, 'SIGINT'),
    });
    // A defect while the first session opens has no session to end: leaving is all there is.
    await Promise.race([app.open(firstOf(commandLine)), stopped]);
    await Promise.race([app.wantsToLeave, stopped]);
    // The pane is free at once, however long hooks of the end take.
    const gone = herdr?.release();
    ended = app.atWork;
    await app.closeAll(leave.leaving);
    await gone;
    resumable = app.sessionIds;
  } finally {
    clearInterval(staying);
    process.off('SIGCONT', onContinue);
    // A signal came while `/setup` had the terminal.
    stepBack();
    await giveBack(screen, terminal);
    forks.close();
    leave.stop();
    for (const text of said) world.notices.fail(text);
  }
  if (ended.length > 0) world.notices.note(sayEnded(ended));
  sayHowToComeBack(resumable, world);
  return leave.forced()?.exitCode ?? exitCodes.done;
}

function both(one: Notices, other: Notices): Notices {
  const say = (kind: keyof Notices) => (text: string) => {
    one[kind](text);
    other[kind](text);
  };
  return { note: say('note'), warn: say('warn'), fail: say('fail') };
}

function firstOf({ open }: RunCommandLine): OpenWhat | 'choose' {
  switch (open.kind) {
    case 'new':
      return { kind: 'new' };
    case 'latest':
    case 'session':
      return open;
    case 'choose':
      return 'choose';
  }
}

/** The renderer puts the terminal back into the mode it found, which is that of the first frame: raw. */
async function giveBack(screen: Screen, terminal: AskingTerminal): Promise<void> {
  screen.stop();
  await terminal.settled();
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
}

function restart(screen: Screen): void {
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  screen.restart();
}

function sayHowToComeBack(ids: readonly string[], world: World): void {
  if (world.home === undefined) return;
  for (const id of ids) world.notices.note(`go on with this session: codey -resume ${id}`);
}
