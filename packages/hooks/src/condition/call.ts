// What conditions and rules can see of one tool call; parsed once, matched many times.
import { namesOfPath, type ResolveLinks, resolveLinks } from './path.ts';
import { parseCommandLine, type Redirect, type SimpleCommand } from './shell.ts';
import type { LoadGrammar } from './grammar-files.ts';

/** The one argument a glob is tested on. The host says which input field it is, since it knows its tools. */
export type CallSubject =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'none' };

/** A command line, read with a shell grammar. */
export interface CommandSubject {
  readonly kind: 'command';
  readonly line: string;
  /** Every simple command of the line as unquoted words. */
  readonly commands: readonly SimpleCommand[];
  /** Files the line opens by itself. */
  readonly redirects: readonly Redirect[];
  /** Names of the variables the line sets. */
  readonly assigned: readonly string[];
  /** False where something in the line could not be read with certainty. */
  readonly complete: boolean;
  /** Why not, in short phrases. */
  readonly doubts: readonly string[];
}

/** A file under all of its names. */
export interface PathSubject {
  readonly kind: 'path';
  /** The same file as it was written, relative to the workspace, absolute and with links resolved. */
  readonly forms: readonly string[];
  /** Those of its names that lead through no link and no `..`; the last is the absolute one. */
  readonly real: readonly string[];
  /** False where its links could not be resolved. */
  readonly complete: boolean;
}

/** One tool call as conditions and rules see it, made by `describeCall`. */
export interface CallView {
  readonly tool: string;
  readonly subject:
    | CommandSubject
    | PathSubject
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'none' };
}

/** Where a call would run, and how to look around there. */
export interface CallPlace {
  /** Root of the agent's workspace: absolute, without links. */
  readonly workspace: string;
  /** Directory that relative paths start from. */
  readonly cwd: string;
  readonly realpath?: ResolveLinks;
  readonly loadGrammar?: LoadGrammar;
}

/** Looks at a call once for all rules and conditions. Never rejects: what could not be found out is in the view. */
export async function describeCall(tool: string, subject: CallSubject, place: CallPlace): Promise<CallView> {
  switch (subject.kind) {
    case 'command': {
      const parsed = await parseCommandLine(subject.line, place.loadGrammar);
      return { tool, subject: { kind: 'command', line: subject.line, ...parsed } };
    }
    case 'path': {
      const names = await namesOfPath(subject.path, { ...place, realpath: place.realpath ?? resolveLinks });
      return { tool, subject: { kind: 'path', ...names } };
    }
    case 'url':
    case 'none':
      return { tool, subject };
  }
}
