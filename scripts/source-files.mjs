// The files of the repository, as the checks see them: what git tracks or would track.
// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths relative to the root, sorted, of files that exist and are not ignored.
 * @param {string} root
 * @returns {string[]}
 */
export function sourceFiles(root) {
  const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (git.status !== 0) throw new Error(`git ls-files failed in ${root}: ${git.stderr || git.error}`);
  const files = new Set(git.stdout.split('\0').filter((file) => file !== ''));
  return [...files].filter((file) => existsSync(join(root, file))).toSorted();
}

/**
 * Prints findings and sets the exit code: the ending of every check.
 * @param {readonly string[]} findings
 * @param {string} advice What to do about them.
 */
export function reportFindings(findings, advice) {
  if (findings.length === 0) return;
  console.log(`${findings.join('\n')}\n\n${advice}`);
  process.exitCode = 1;
}
