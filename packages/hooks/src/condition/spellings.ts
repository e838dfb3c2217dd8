// Other spellings of one command: `/usr/bin/git -C dir push` is also `git push`.
import { plainGit } from './git-commands.ts';
import { baseName } from './wrappers.ts';

/** The command's other spellings, without the one it was given in. */
export function otherSpellings(words: readonly string[]): readonly (readonly string[])[] {
  const [name, ...rest] = words;
  if (name === undefined) return [];
  const bare = baseName(name);
  const plain = plainGit(words);
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
