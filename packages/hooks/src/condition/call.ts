// What conditions and rules can see of one tool call; parsed once, matched many times.
import type { LoadGrammar } from './grammar-files.ts';
import { namesOfPath, type ResolveLinks, resolveLinks } from './path.ts';
import { parseCommandLine, type Redirect, type SimpleCommand } from './shell.ts';
import { namesOfUrl } from './url.ts';

/** An argument whose meaning is known. */
export type PlainSubject =
  | { readonly kind: 'command'; readonly line: string }
  | {
      readonly kind: 'path';
      readonly path: string;
      /** Which files below it, as far as that is known, an `unknownPart` for the rest: for what searches in it. */
      readonly below?: string;
    }
  | { readonly kind: 'url'; readonly url: string };

/** What a glob is tested on. The host says which input field it is, where it knows its tools. */
export type CallSubject =
  | PlainSubject
  /** A tool nobody knows: what stops a call looks at everything in its input, what allows one must cover each subject. */
  | {
      readonly kind: 'guessed';
      /** Arguments that by their names or looks are commands, paths and addresses. */
      readonly subjects: readonly PlainSubject[];
      /** Every text of the input. */
      readonly texts: readonly string[];
      /** False where there is more in the input than these. */
      readonly complete: boolean;
    }
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

/** An address under all of its names. */
export interface UrlSubject {
  readonly kind: 'url';
  /** As it was written. */
  readonly url: string;
  /** The same address as it was written, as it is fetched, and in other spellings. */
  readonly forms: readonly string[];
  /** As it is fetched. Empty for what is no address or holds a password. */
  readonly real: readonly string[];
}

/** The arguments of a tool nobody knows. */
export interface GuessedSubject {
  readonly kind: 'guessed';
  /** What by name or looks is a command, path or address. */
  readonly subjects: readonly (CommandSubject | PathSubject | UrlSubject)[];
  /** Every text of the input, and the names it goes by if it is a path or an address. */
  readonly texts: readonly string[];
  /** False where there is more in the input, or a link could not be resolved. */
  readonly complete: boolean;
}

/** One tool call as conditions and rules see it, made by `describeCall`. */
export interface CallView {
  readonly tool: string;
  readonly subject: CommandSubject | PathSubject | UrlSubject | GuessedSubject | { readonly kind: 'none' };
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
    case 'command':
    case 'path':
    case 'url':
      return { tool, subject: await describe(subject, place) };
    case 'guessed': {
      const subjects = await Promise.all(subject.subjects.map((plain) => describe(plain, place)));
      const texts = await Promise.all(subject.texts.map((text) => namesOfText(text, place)));
      return {
        tool,
        subject: {
          kind: 'guessed',
          subjects,
          texts: [...new Set(texts.flatMap(({ forms }) => forms))],
          complete: subject.complete && texts.every(({ complete }) => complete),
        },
      };
    }
    case 'none':
      return { tool, subject };
  }
}

async function describe(
  subject: PlainSubject,
  place: CallPlace,
): Promise<CommandSubject | PathSubject | UrlSubject> {
  switch (subject.kind) {
    case 'command': {
      const parsed = await parseCommandLine(subject.line, place.loadGrammar);
      return { kind: 'command', line: subject.line, ...parsed };
    }
    case 'path': {
      const names = await namesOfPath(subject.path, { ...place, realpath: place.realpath ?? resolveLinks });
      const { below } = subject;
      const deeper = below === undefined ? [] : names.forms.map((form) => inFolder(form, below));
      return { kind: 'path', ...names, forms: [...names.forms, ...deeper] };
    }
    case 'url':
      return { ...subject, ...namesOfUrl(subject.url) };
  }
}

function inFolder(folder: string, below: string): string {
  return folder === '.' ? below : `${folder.replace(/\/$/, '')}/${below}`;
}

/** A text that may be anything: what it would be called as an address, a path, and the commands of a line. */
async function namesOfText(
  text: string,
  place: CallPlace,
): Promise<{ readonly forms: readonly string[]; readonly complete: boolean }> {
  const pieces = text.split(/[\n;|&()`]+/).map((piece) => piece.trim());
  const forms = [text, ...pieces];
  if (/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return { forms: [...forms, ...namesOfUrl(text).forms], complete: true };
  if (text === '' || longName.test(text)) return { forms, complete: true };
  const names = await namesOfPath(text, { ...place, realpath: place.realpath ?? resolveLinks });
  return { forms: [...forms, ...names.forms], complete: names.complete };
}

/** No file has such a name, and several lines are rather a text. */
const longName = /[\n\0]|[^/]{256}|^.{4096}/s;
