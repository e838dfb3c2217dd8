// Other spellings of one command: `/usr/bin/git -C dir push` is also `git push`.
import { readOptions } from './options.ts';
import { baseName } from './wrappers.ts';

/** The command's other spellings, without the one it was given in. */
export function otherSpellings(words: readonly string[]): readonly (readonly string[])[] {
  const [name, ...rest] = words;
  if (name === undefined) return [];
  const bare = baseName(name);
  const plain = bare === 'git' ? ['git', ...withoutGlobalOptions(rest)] : undefined;
  const candidates = [
    ...(bare !== name && bare !== '' ? [[bare, ...rest]] : []),
    ...(plain === undefined ? [] : [plain]),
  ];
  const seen = new Set([words.join('\n')]);
  return candidates.filter((candidate) => {
    const key = candidate.join('\n');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Git options that come before the subcommand, such as `-C dir` and `-c name=value`. */
function withoutGlobalOptions(words: readonly string[]): readonly string[] {
  return readOptions(words, gitOptions).operands;
}

const gitOptions = {
  flags: 'hpPv',
  values: 'Cc',
  longFlags: [
    'bare',
    'glob-pathspecs',
    'help',
    'html-path',
    'icase-pathspecs',
    'info-path',
    'literal-pathspecs',
    'man-path',
    'no-advice',
    'no-lazy-fetch',
    'no-optional-locks',
    'no-pager',
    'no-replace-objects',
    'noglob-pathspecs',
    'paginate',
    'version',
  ],
  longValues: ['attr-source', 'config-env', 'git-dir', 'namespace', 'super-prefix', 'work-tree'],
};

/** Whether a git command defines an alias for itself, and so may run anything. */
export function definesGitAlias(words: readonly string[]): boolean {
  if (baseName(words[0] ?? '') !== 'git') return false;
  const { options } = readOptions(words.slice(1), gitOptions);
  return options.some(
    ({ name, value }) => ['c', 'config-env'].includes(name) && /^alias\.|\0/i.test(value ?? ''),
  );
}
