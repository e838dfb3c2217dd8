// The machine: Node, the shell that runs hooks, git, and room on the disks.
import { access, constants, statfs } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '@codey/hooks';
import { version } from '../../version.ts';
import type { Check, Finding } from './finding.ts';

const run = promisify(execFile);

export const checkProgram: Check = async () => [
  { about: 'codey', state: 'ok', what: `${version}, on Node.js ${process.versions.node}` },
];

export const checkShell: Check = async () => {
  try {
    await access('/bin/sh', constants.X_OK);
    return [{ about: 'shell', state: 'ok', what: 'hooks run in /bin/sh unless they name another' }];
  } catch {
    return [
      {
        about: 'shell',
        state: 'problem',
        what: 'there is no /bin/sh, so no command hook can run',
        todo: 'install a shell there',
      },
    ];
  }
};

export const checkGit: Check = async ({ root, world }) => {
  const git = findProgram('git', { cwd: root, path: world.environment.PATH ?? '' });
  if (git === null)
    return [
      {
        about: 'git',
        state: 'warning',
        what: 'it is not on PATH',
        todo: 'install it: worktrees and rehearsals use it',
      },
    ];
  const { stdout } = await run(git, ['--version']).catch(() => ({ stdout: 'git' }));
  const inside = await run(git, ['-C', root, 'rev-parse', '--show-toplevel']).then(
    () => true,
    () => false,
  );
  return [
    inside
      ? { about: 'git', state: 'ok', what: stdout.trim() }
      : {
          about: 'git',
          state: 'warning',
          what: `${root} is no repository`,
          todo: 'git init, if edits should be easy to take back',
        },
  ];
};

/** Bytes below which a long session may stop being recorded. */
const little = 200 * 1024 * 1024;

export const checkDisk: Check = async ({ root, world }) => {
  const places = [...new Set([root, world.home ?? root])];
  return Promise.all(places.map(lookAt));
};

async function lookAt(place: string): Promise<Finding> {
  try {
    await access(place, constants.W_OK);
    const { bavail, bsize } = await statfs(place);
    const free = bavail * bsize;
    const what = `${Math.floor(free / 1024 / 1024).toLocaleString('en')} MB free in ${place}`;
    return free < little
      ? { about: 'disk', state: 'warning', what, todo: 'make room: journals and sessions are kept there' }
      : { about: 'disk', state: 'ok', what };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return {
      about: 'disk',
      state: 'problem',
      what: `${place} cannot be written: ${code}`,
      todo: 'correct its permissions',
    };
  }
}
