// `/diff`: what is different in the project from its last commit.
import { createGit, type GitResult } from '@codey/agent';
import type { Command } from './command.ts';
import { codeBlock } from './table.ts';

const mostLines = 3_000;

export const diff: Command = {
  name: 'diff',
  summary: 'what is different in the project from its last commit',
  async run({ session, reply, say }) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const { root } = session.facts();
    const git = createGit();
    const [changes, untracked] = await Promise.all([
      git(['diff', '--no-color', '--no-ext-diff', '--no-textconv', 'HEAD', '--'], root),
      git(['ls-files', '--others', '--exclude-standard'], root),
    ]);
    for (const asked of [changes, untracked]) {
      if (asked.kind === 'missing')
        return say('error', 'git is not installed, so there is nothing to compare with.');
      if (asked.kind === 'failed') return say('error', `git could not compare: ${asked.message}`);
    }
    const lines = [...linesOf(changes), ...linesOf(untracked).map((file) => `new file, not in git: ${file}`)];
    if (lines.length === 0) return say('plain', 'Nothing is different from the last commit.');
    const more = lines.length > mostLines ? `\n\n${lines.length - mostLines} more lines: git diff HEAD` : '';
    reply('Changes since the last commit', codeBlock(lines.slice(0, mostLines).join('\n'), 'diff') + more);
  },
};

function linesOf(asked: GitResult): readonly string[] {
  const output = asked.kind === 'ok' ? asked.output.trimEnd() : '';
  return output === '' ? [] : output.split('\n');
}
