// Commands that cannot start: a script that is not there or may not be executed, an interpreter that is not on PATH.
import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { findProgram, missingProgram, readSimpleCommand, speaksSh } from '@codey/hooks';
import type { AnyHook, Suspicion, SuspicionFacts } from './suspicions.ts';

/** Says only what is certain: a line that starts several programs, or one through variables, is left alone. */
export function deadPrograms(hook: AnyHook, { root, environment }: SuspicionFacts): readonly Suspicion[] {
  const command = commandOf(hook);
  if (command === undefined) return [];
  const place = {
    ...command,
    cwd: root,
    environment: {
      ...environment,
      CODEY_PROJECT_DIR: root,
      KODER_PROJECT_DIR: root,
      ...(hook.source.root !== undefined && {
        CODEY_SKILL_DIR: hook.source.root,
        KODER_SKILL_DIR: hook.source.root,
      }),
    },
  };
  const missing = missingProgram(place);
  const found = missing === undefined ? whyNotStarted(place) : { message: missing, hint: 'correct the path' };
  return found === undefined
    ? []
    : [{ source: hook.source, message: `this hook cannot start: ${found.message}`, hint: found.hint }];
}

type Place = Parameters<typeof missingProgram>[0];
type Finding = Pick<Suspicion, 'message' | 'hint'>;

function commandOf(hook: AnyHook): Pick<Place, 'command' | 'args' | 'shell'> | undefined {
  if (!('handler' in hook)) return { command: hook.command };
  const { handler } = hook;
  return handler.type === 'command' || handler.type === 'worker' ? handler : undefined;
}

function whyNotStarted(place: Place): Finding | undefined {
  const words = wordsOf(place);
  const program = words?.words.find((word) => word === null || !/^\w+=/.test(word));
  if (typeof program !== 'string' || program === '' || builtIns.has(program)) return undefined;
  const cwd = resolve(place.cwd, words?.directory ?? '.');
  const search = place.environment.PATH ?? '';
  const file = findProgram(program, { cwd, path: search });
  if (file === null)
    return { message: `there is no ${program} on PATH`, hint: 'install it, or write its whole path' };
  if (!mayExecute(file)) return { message: `${file} may not be executed`, hint: `chmod +x ${file}` };
  const interpreter = interpreterOf(file);
  if (interpreter === undefined || findProgram(interpreter, { cwd, path: search }) !== null) return undefined;
  return {
    message: `${file} is run by ${interpreter}, which is not there`,
    hint: 'install it, or change the first line',
  };
}

function wordsOf({ command, args, shell, environment }: Place) {
  if (args !== undefined) return { words: [command, ...args], directory: undefined };
  return speaksSh(shell) ? readSimpleCommand(command, environment) : null;
}

/** What a shell runs without a program. */
const builtIns: ReadonlySet<string> = new Set(
  '. : [ alias bg break case cd command continue echo eval exec exit export false fg for getopts hash if jobs kill local printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset until wait while {'.split(
    ' ',
  ),
);

function mayExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What the first line of a script names: `node` for `#!/usr/bin/env node`. */
function interpreterOf(file: string): string | undefined {
  const [, program = '', rest = ''] = /^#!\s*(\S+)[ \t]*(.*)/.exec(firstBytes(file)) ?? [];
  if (program === '') return undefined;
  if (basename(program) !== 'env') return program;
  return rest.split(/\s+/).find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
}

function firstBytes(file: string): string {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(256);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
