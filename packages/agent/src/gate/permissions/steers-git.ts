// Whether a line changes settings of git that name programs, files of settings or repositories.
import { type CommandSubject, unknownPart } from '@codey/hooks';

/**
 * As half a sentence; undefined where it does not. `git config` writes `.git/config` or the user's own file: keys that are
 * known to steer no program may be set, all others are for a human.
 */
export function steersGit({ commands }: CommandSubject): string | undefined {
  const steers = commands.some(({ words, also }) => [words, ...also].some(setsOtherKey));
  return steers ? 'the line changes settings with which git runs programs' : undefined;
}

function setsOtherKey([name, subcommand, ...rest]: readonly string[]): boolean {
  if (name !== 'git' || subcommand !== 'config') return false;
  const [first = ''] = rest;
  const verb = /^(?:get|list|set|unset|edit|rename-section|remove-section)$/.test(first) ? first : '';
  const { options, operands } = split(verb === '' ? rest : rest.slice(1));
  if (verb === 'get' || verb === 'list' || options.some((option) => reading.test(option))) return false;
  if (verb === 'edit' || options.some((option) => /^(?:-e|--ed.*|--rena.*|--remo.*)$/.test(option)))
    return true;
  const [key = ''] = operands;
  // One key alone is printed.
  const prints = verb === '' && operands.length < 2 && !options.some((option) => option.startsWith('--u'));
  return !prints && (key.includes(unknownPart) || !harmless.test(key));
}

const reading = /^(?:-l|--list|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool)$/;

/** Options of `git config` that take a value as a word of its own. */
const withValue = new Set([
  '-f',
  '-t',
  '--file',
  '--blob',
  '--type',
  '--default',
  '--comment',
  '--value',
  '--url',
]);

function split(words: readonly string[]): {
  readonly options: readonly string[];
  readonly operands: readonly string[];
} {
  const end = words.indexOf('--');
  const before = (end === -1 ? words : words.slice(0, end)).filter(
    (_, at, all) => !withValue.has(all[at - 1] ?? ''),
  );
  return {
    options: before.filter((word) => word.startsWith('-')),
    operands: [
      ...before.filter((word) => !word.startsWith('-')),
      ...(end === -1 ? [] : words.slice(end + 1)),
    ],
  };
}

/** Sections and keys with which git starts nothing and reads no further settings. */
const harmless =
  /^(?:user\.(?:name|email|signingkey|useconfigonly)|init\.defaultbranch|(?:color|advice|push|pull|fetch|branch|status|log|column|rerere|feature|index|pack|blame)\.[\w.-]+|branch\..+\.(?:merge|remote|rebase|description)|commit\.(?:gpgsign|verbose|cleanup)|tag\.(?:sort|gpgsign)|core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|symlinks|precomposeunicode|abbrev|longpaths|untrackedcache)|diff\.(?:renames|algorithm|colormoved|mnemonicprefix|noprefix|context)|merge\.(?:ff|conflictstyle|renames)|rebase\.(?:autosquash|autostash|updaterefs))$/i;
