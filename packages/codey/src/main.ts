// Parses, chooses what to do, sets the exit code. Nothing heavy is imported before it is needed.
import { parseCommandLine } from './cli/parse.ts';
import { runCommand } from './commands/run.ts';
import { exitCodes, StartError } from './start/exit.ts';
import type { World } from './start/world.ts';
import { createNotices } from './terminal/notices.ts';
import { version } from './version.ts';

/** The build waits for it, to see what a start runs. */
export const finished: Promise<void> = main().then((exitCode) => {
  process.exitCode = exitCode;
});

async function main(): Promise<number> {
  const world = thisMachine();
  const commandLine = parseCommandLine(process.argv.slice(2));
  // A run goes on behind a reader that has gone, and finds out by itself.
  if (commandLine.kind !== 'run') process.stdout.on('error', passOverGoneReader);
  try {
    switch (commandLine.kind) {
      case 'help':
        process.stdout.write(commandLine.text);
        return exitCodes.done;
      case 'version':
        process.stdout.write(`codey ${version}\n`);
        return exitCodes.done;
      case 'error':
        world.notices.fail(commandLine.message);
        return exitCodes.usage;
      case 'command':
        return await runCommand(commandLine, world);
      case 'run': {
        const { mode } = commandLine;
        if (mode.kind === 'print')
          return await (await import('./modes/print.ts')).print({ ...commandLine, mode }, world);
        if (process.stdin.isTTY && process.stdout.isTTY)
          return await (await import('./modes/interactive.ts')).interactive(commandLine, world);
        throw new StartError(
          'the full-screen mode needs a terminal; use codey -p "…" for one run without a screen',
        );
      }
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    world.notices.fail(error.message);
    return error.exitCode;
  }
}

/** As in `codey hooks list | head`: who stops reading has seen enough. */
function passOverGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function thisMachine(): World {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const home = environment.HOME;
  return {
    environment,
    cwd: process.cwd(),
    home: home === undefined || home === '' ? undefined : home,
    pid: process.pid,
    // Opening them loads Node's streams; most runs have nothing on stdin and little to say.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    stdoutDescriptor: 1,
    notices: createNotices(() => process.stderr, environment),
  };
}
