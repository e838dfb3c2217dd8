// Runs git for the program itself and says what came of it: led astray by no inherited variable, and made to run nothing by
// the repository's own settings.
import { execFile, type ExecFileException } from 'node:child_process';
import { askForFilters, withoutRepositoryPrograms } from './repository-programs.ts';

export type GitResult =
  | { readonly kind: 'ok'; readonly output: string }
  /** `message` is git's own last sentence. `code` is absent where git did not end by itself. */
  | { readonly kind: 'failed'; readonly code?: number; readonly message: string }
  /** There is no git on this machine. */
  | { readonly kind: 'missing' };

/** Never rejects. */
export type Git = (args: readonly string[], cwd: string) => Promise<GitResult>;

/** A checkout of a large repository takes its time; nothing here takes for ever. */
const deadlineMs = 10 * 60 * 1_000;
const outputCap = 64 * 1024 * 1024;

/** @param environment read at each call: the session's variables; those of the process if left out */
export function createGit(
  environment: () => Readonly<Record<string, string | undefined>> = () => process.env,
): Git {
  const run = (args: readonly string[], cwd: string): Promise<GitResult> =>
    new Promise((resolve) => {
      execFile(
        'git',
        args,
        { cwd, env: ownEnvironment(environment()), timeout: deadlineMs, maxBuffer: outputCap },
        (error, stdout, stderr) => resolve(read(error, stdout, stderr)),
      );
    });
  return async (args, cwd) => {
    const filters = await run(askForFilters, cwd);
    // Without any, git has an error for an answer.
    const safe = withoutRepositoryPrograms(filters.kind === 'ok' ? filters.output : '');
    return run([...safe, ...args], cwd);
  };
}

/** These would lead git to another repository than the one it stands in. */
const leading = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
];

function ownEnvironment(inherited: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const kept = Object.entries(inherited).filter(([name]) => !leading.includes(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Looking must not write: another git may be at work in the same place.
    GIT_OPTIONAL_LOCKS: '0',
  };
}

function read(error: ExecFileException | null, stdout: string, stderr: string): GitResult {
  if (error === null) return { kind: 'ok', output: stdout };
  if (error.code === 'ENOENT' && stderr === '') return { kind: 'missing' };
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return {
    kind: 'failed',
    ...(typeof error.code === 'number' && { code: error.code }),
    message: said.replace(/^(?:fatal|error): /, '') || error.message,
  };
}
