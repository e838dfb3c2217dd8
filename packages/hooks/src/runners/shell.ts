// How each shell is asked to run one command line and nothing else.
import { basename } from 'node:path';

/**
 * Program and arguments for a command line; `/bin/sh` where no shell is named, else the shell as a path or a name on
 * PATH. Start-up files are left out where the shell can: what a profile prints would be read as the hook's answer.
 */
export function shellArgv(command: string, shell = '/bin/sh'): readonly [string, ...string[]] {
  return [shell, ...(switches[basename(shell)] ?? ['-c']), command];
}

/** Whether the line is in the language of `sh`. */
export function speaksSh(shell = '/bin/sh'): boolean {
  return /^(ba|da|z|k|mk|a|)sh$/.test(basename(shell));
}

const switches: Readonly<Record<string, readonly string[]>> = {
  zsh: ['-f', '-c'],
  fish: ['--no-config', '-c'],
  csh: ['-f', '-c'],
  tcsh: ['-f', '-c'],
  pwsh: ['-NoProfile', '-NonInteractive', '-Command'],
};
