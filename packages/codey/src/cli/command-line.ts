// What the program was asked to do, as `parseCommandLine` returns it.
import type { Arguments, CommandName, commands, session } from './commands.ts';
import type { Flags } from './flags.ts';

export type CommandLine =
  | RunCommandLine
  | NamedCommandLine
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  /** For stderr, with exit code 2. One or two lines. */
  | { readonly kind: 'error'; readonly message: string };

/** A session: `codey` without a command. */
export interface RunCommandLine {
  readonly kind: 'run';
  readonly mode:
    | { readonly kind: 'interactive' }
    /** Without a prompt it comes from stdin alone. */
    | {
        readonly kind: 'print';
        readonly prompt?: string;
        readonly outputFormat: 'text' | 'json' | 'stream-json';
      };
  readonly open:
    | { readonly kind: 'new' }
    | { readonly kind: 'latest'; readonly fork: boolean }
    | { readonly kind: 'session'; readonly id: string; readonly fork: boolean }
    /** Let the user choose. */
    | { readonly kind: 'choose'; readonly fork: boolean };
  readonly flags: Flags<(typeof session.flags)[number]>;
}

/** One member for each command, so that a `switch` on `command` knows its flags and arguments. */
export type NamedCommandLine = {
  [Name in CommandName]: {
    readonly kind: 'command';
    readonly command: Name;
    readonly arguments: Arguments<Name>;
    readonly flags: Flags<(typeof commands)[Name]['flags'][number]>;
  };
}[CommandName];
