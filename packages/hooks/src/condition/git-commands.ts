// Which git command a line of words is, as far as aliases and settings let anybody know.
import { unknownPart } from './glob.ts';
import { maybeSeveral } from './marks.ts';
import { type OptionTable, readOptions } from './options.ts';

/** The same git command without a path, a dash or global options; undefined for another program. */
export function plainGit(words: readonly string[]): readonly string[] | undefined {
  const call = gitCall(words);
  if (call === undefined) return undefined;
  const { operands } = readOptions(call, globalOptions);
  // The plumbing that `git push` calls.
  const pushes = operands[0] === 'send-pack' || operands[0] === 'http-push';
  return ['git', ...(pushes ? ['push', ...operands.slice(1)] : operands)];
}

/** Why a git command may do something else than its subcommand says. */
export function doubtsAboutGit(words: readonly string[]): readonly string[] {
  const call = gitCall(words);
  if (call === undefined) return [];
  const { options, operands, certain } = readOptions(call, globalOptions);
  const [subcommand, ...rest] = operands;
  if (subcommand?.includes(unknownPart)) return ['part of the call is known only when it runs'];
  const doubts: string[] = [];
  if (!certain) doubts.push('the options of git could not all be read');
  if (options.some(({ name, value = '' }) => mayRun(name, value)))
    doubts.push('git is given a setting that may run something');
  if (subcommand !== undefined && !subcommands.has(subcommand))
    doubts.push(`git ${subcommand} may be an alias`);
  if (subcommand !== undefined && startsOthers(subcommand, rest))
    doubts.push(`git ${subcommand} starts commands of its own`);
  return doubts;
}

/** The words behind `git`; `git-push`, by any path, is `git push`. */
function gitCall([name = '', ...rest]: readonly string[]): readonly string[] | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === 'git') return rest;
  const subcommand = base.replace(/^git-/, '');
  return subcommand !== base && subcommands.has(subcommand) ? [subcommand, ...rest] : undefined;
}

const globalOptions: OptionTable = {
  flags: 'hpPv',
  values: 'Cc',
  longFlags: [
    'bare',
    'exec-path',
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

/** Many settings name a program, and new ones come with every version: those known to be harmless are listed. */
function mayRun(option: string, value: string): boolean {
  if (option === 'c') return !harmlessSettings.test(value);
  return option === 'config-env' || (option === 'exec-path' && value !== '');
}

const harmlessSettings =
  /^(?:(?:user|color|advice|log|status)\.[\w.-]+|core\.(?:quotepath|autocrlf|abbrev|filemode|ignorecase)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|diff\.renames|protocol\.version)(?:=|$)/i;

/** Subcommands that take a command to start, in an option or as operands. */
function startsOthers(subcommand: string, rest: readonly string[]): boolean {
  switch (subcommand) {
    case 'bisect':
      return rest.some((word) => word === 'run' || maybeSeveral(word));
    case 'difftool':
      return rest.some((word) => /^(?:-\w*x|--ext?)/.test(word) || maybeSeveral(word));
    case 'filter-branch':
    case 'for-each-repo':
      return true;
    case 'rebase':
      return rest.some((word) => /^(?:-\w*x|--ex)/.test(word) || maybeSeveral(word));
    case 'submodule':
    case 'submodule--helper':
      return rest.some((word) => word === 'foreach' || maybeSeveral(word));
    default:
      return false;
  }
}

/** What git takes for its own before it looks for an alias of that name. */
const subcommands = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore ' +
    'check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit ' +
    'commit-graph commit-tree config count-objects credential credential-cache credential-store daemon describe ' +
    'diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch ' +
    'fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id grep hash-object ' +
    'help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers log ' +
    'ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-ours ' +
    'merge-recursive merge-subtree merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes ' +
    'pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree ' +
    'rebase receive-pack reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert ' +
    'rm send-pack shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status ' +
    'stripspace submodule submodule--helper switch symbolic-ref tag unpack-file unpack-objects update-index ' +
    'update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version ' +
    'whatchanged worktree write-tree'
  ).split(' '),
);
