// One session on a terminal that can only print lines: prompts are typed, answers printed, questions answered by a letter.
import { createForkServer } from '@codey/hooks';
import type { RunCommandLine } from '../../cli/command-line.ts';
import { exitCodes, StartError } from '../../start/exit.ts';
import type { HerdrReporting } from '../../start/herdr.ts';
import { watchForLeaving } from '../../start/leaving.ts';
import type { World } from '../../start/world.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import type { OpenWhat, SessionHost } from '../ports.ts';
import { machineClock } from '../screen/clock.ts';
import { noSessions, sessionItems } from '../commands/resume.ts';
import { openAddress } from '../session/open-address.ts';
import { createSessionHost } from '../session/open-tab.ts';
import { pickInLines } from './ask.ts';
import { createConversation } from './conversation.ts';
import { createLineReader } from './line-reader.ts';

/** Returns the exit code. Throws StartError for what keeps the session from opening. */
export async function lineMode(
  commandLine: RunCommandLine,
  world: World,
  herdr?: HerdrReporting,
): Promise<number> {
  const write = (text: string): void => void world.stdout.write(text);
  const reader = createLineReader(world.stdin, write);
  const leave = watchForLeaving({
    interrupt() {
      talk?.interrupt();
      reader.close();
    },
    say: world.notices.fail,
  });
  const forks = createForkServer();
  let talk: ReturnType<typeof createConversation> | undefined;
  try {
    const ports = { reader, width: columns, print: (line: string) => write(`${line}\n`) };
    const host = await createSessionHost({
      commandLine,
      world,
      clock: machineClock,
      signals: leave.signals,
      forks,
      opened(session) {
        herdr?.follow(session);
        herdr?.visible(session.id);
      },
    });
    const what = await firstSession(commandLine, host, (items) =>
      pickInLines('Go on with which session?', items, noSessions, ports),
    );
    talk = createConversation({ ...ports, host, cwd: world.cwd, openAddress, clock: machineClock });
    const became = await talk.open(what);
    if (became === 'blocked') throw new StartError('the session was not opened', exitCodes.failed);
    write('Ask for something; /help lists commands, an empty line and Ctrl+D leave.\n');
    await talk.loop();
    const gone = herdr?.release();
    await talk.close(leave.leaving());
    await gone;
    return leave.forced()?.exitCode ?? exitCodes.done;
  } finally {
    reader.close();
    forks.close();
    leave.stop();
    write(sanitise('\n'));
  }
}

/** A terminal that says nothing about itself has the width all once had. */
const columns = 80;

async function firstSession(
  { open }: RunCommandLine,
  host: SessionHost,
  pick: (items: ReturnType<typeof sessionItems>) => Promise<string | undefined>,
): Promise<OpenWhat> {
  if (open.kind === 'new') return { kind: 'new' };
  if (open.kind !== 'choose') return open;
  const id = await pick(sessionItems(await host.sessions()));
  return id === undefined ? { kind: 'new' } : { kind: 'session', id, fork: open.fork };
}
