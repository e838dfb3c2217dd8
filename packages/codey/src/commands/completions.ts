// `codey completions`: a script that lets a shell complete commands, flags and their values.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { bashScript } from './completions/bash.ts';
import { fishScript } from './completions/fish.ts';
import { completionPlaces } from './completions/grammar.ts';
import { zshScript } from './completions/zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function completions(
  commandLine: Extract<NamedCommandLine, { command: 'completions' }>,
  world: World,
): number {
  world.stdout.write(scripts[commandLine.arguments.shell](completionPlaces()));
  return exitCodes.done;
}
