// Copies what a project consists of: what git tracks or would track, without its history.
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readdir, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createGit } from '@codey/agent';
import { isInside } from '@codey/hooks';
import { StartError } from '../../start/exit.ts';

const run = promisify(execFile);

/** Bytes. More would make a rehearsal slow and fill a small temporary folder. */
const mostBytes = 200 * 1024 * 1024;

/**
 * `also` are files of the project that are wanted whether or not git ignores them. A link is copied where it leads
 * inside the project, so that nothing of the copy reaches the original. Throws StartError above 200 MB.
 */
export async function copyProject(root: string, target: string, also: readonly string[]): Promise<void> {
  const listed = (await listTracked(root)) ?? (await listAll(root));
  const names = [...new Set([...listed, ...also.map((file) => relative(root, file))])].sort();
  let bytes = 0;
  for (const name of names) {
    const from = join(root, name);
    const to = join(target, name);
    const facts = await lstat(from).catch(() => undefined);
    if (facts === undefined) continue;
    const isLink = facts.isSymbolicLink();
    if (!isLink && !facts.isFile()) continue;
    if (isLink && !(await leadsInside(from, root))) continue;
    bytes += facts.size;
    if (bytes > mostBytes)
      throw new StartError(
        `${root} holds more than 200 MB that git does not ignore, and a rehearsal plays in a copy; ignore what is built, or rehearse with --sample`,
      );
    await mkdir(dirname(to), { recursive: true });
    await cp(from, to, { verbatimSymlinks: true, mode: 0, force: true });
  }
  await startHistory(target);
}

/** Tracked and unignored files; undefined where git or its repository is missing. */
async function listTracked(root: string): Promise<readonly string[] | undefined> {
  const listed = await createGit()(['ls-files', '-z', '-co', '--exclude-standard'], root);
  return listed.kind === 'ok' ? listed.output.split('\0').filter((name) => name !== '') : undefined;
}

const neverCopied: ReadonlySet<string> = new Set(['.git', 'node_modules']);

async function listAll(root: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter(({ name }) => !neverCopied.has(name))
      .map(async (entry) => {
        const name = join(below, entry.name);
        return entry.isDirectory() ? listAll(root, name) : [name];
      }),
  );
  return lists.flat();
}

async function leadsInside(link: string, root: string): Promise<boolean> {
  const target = await readlink(link);
  return !isAbsolute(target) && isInside(resolve(dirname(link), target), [root]);
}

/** A commit to compare with, since hooks ask git what changed. Without git the copy is left as it is. */
async function startHistory(target: string): Promise<void> {
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', '-c', 'user.name=rehearsal'];
  const git = (...args: readonly string[]) =>
    run('git', [...quiet, '-c', 'user.email=rehearsal@localhost', ...args], { cwd: target });
  try {
    await stat(target);
    await git('init', '--quiet');
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--no-verify', '--message', 'as it was');
  } catch {
    // Hooks that ask git find no history; the rest of the story is the same.
  }
}
