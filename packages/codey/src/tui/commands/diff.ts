// `/diff`: what is different in the project from its last commit.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from './command.ts';
import { codeBlock } from './table.ts';

const mostLines = 3_000;

export const diff: Command = {
  name: 'diff',
  summary: 'what is different in the project from its last commit',
  async run({ session, reply, say }) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const { root } = session.facts();
    try {
      const [changes, untracked] = await Promise.all([
        git(root, ['diff', '--no-color', '--no-ext-diff', 'HEAD', '--']),
        git(root, ['ls-files', '--others', '--exclude-standard']),
      ]);
      const added = untracked
        .split('\n')
        .filter(Boolean)
        .map((file) => `new file, not in git: ${file}`);
      const lines = [
        ...changes
          .trimEnd()
          .split('\n')
          .filter((line) => changes !== '' || line !== ''),
        ...added,
      ];
      if (lines.length === 0) return say('plain', 'Nothing is different from the last commit.');
      const more =
        lines.length > mostLines ? `\n\n${lines.length - mostLines} more lines: git diff HEAD` : '';
      reply('Changes since the last commit', codeBlock(lines.slice(0, mostLines).join('\n'), 'diff') + more);
    } catch (error) {
      const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n').slice(1);
      say(
        'error',
        `git could not compare: ${first === '' ? 'is it installed, and is this a git repository with a commit?' : first}`,
      );
    }
  },
};

async function git(root: string, argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', root, ...argv], {
    maxBuffer: 64 * 1024 * 1024,
    timeout: 30_000,
  });
  return stdout;
}
