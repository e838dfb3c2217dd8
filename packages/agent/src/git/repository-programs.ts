// What a repository's own settings would have git run, switched off for one call. A repository that was cloned has none; one
// that came as files, its .git among them, has what its author wrote.

/** Hooks, and the monitor that mere looking starts. */
const always = ['core.hooksPath=/dev/null', 'core.fsmonitor=false'];

/** Asks for the filters that settings name, each with the scope it is set in. */
export const askForFilters = [
  'config',
  '--null',
  '--show-scope',
  '--name-only',
  '--get-regexp',
  '^filter\\.',
];

/**
 * Options for git itself, before its command. `filters` is the answer to `askForFilters`; what the user set stays. What
 * shows differences has options of its own: --no-ext-diff, --no-textconv.
 */
export function withoutRepositoryPrograms(filters: string): readonly string[] {
  const words = filters.split('\0');
  const named = words.flatMap((scope, index) =>
    index % 2 === 0 && (scope === 'local' || scope === 'worktree') ? [words[index + 1] ?? ''] : [],
  );
  return [...always, ...new Set(named.flatMap(switchOff))].flatMap((setting) => ['-c', setting]);
}

/** The name of a filter may hold dots itself. */
function switchOff(key: string): readonly string[] {
  const [, filter, field] = /^(filter\..+)\.([a-z]+)$/s.exec(key) ?? [];
  switch (field) {
    case 'clean':
    case 'smudge':
    case 'process':
      // What is required and empty would be an error.
      return [`${filter}.${field}=`, `${filter}.required=false`];
    default:
      return [];
  }
}
