import { describe, expect, it } from 'vitest';
import { describeCall } from '../../condition/call.ts';
import { matchRule } from '../../condition/match.ts';
import { translateRule } from './condition.ts';

const place = { workspace: '/home/you/shop', cwd: '/home/you/shop', realpath: async (path: string) => path };

async function fits(text: string, tool: string, argument: string): Promise<string> {
  const subject =
    tool === 'run_shell'
      ? ({ kind: 'command', line: argument } as const)
      : tool === 'web_fetch'
        ? ({ kind: 'url', url: argument } as const)
        : argument === ''
          ? ({ kind: 'none' } as const)
          : ({ kind: 'path', path: argument } as const);
  return matchRule(translateRule(text, '/home/you').rule, await describeCall(tool, subject, place), 'any');
}

describe('a rule', () => {
  it.each([
    ['Bash', 'run_shell', 'ls', 'yes'],
    ['Bash', 'read_file', 'a', 'no'],
    ['Bash(git push *)', 'run_shell', 'git push origin', 'yes'],
    ['Bash(git push *)', 'run_shell', 'git push', 'yes'],
    ['Bash(git push:*)', 'run_shell', 'git push --force', 'yes'],
    ['Bash(git push:*)', 'run_shell', 'git status', 'no'],
    ['Bash(npm run build)', 'run_shell', 'npm run build', 'yes'],
    ['Bash(npm run build)', 'run_shell', 'npm run build:prod', 'no'],
    ['Bash(rm *)', 'run_shell', 'cd x && A=1 rm -rf y', 'yes'],
    ['Bash(rm *)', 'run_shell', 'echo $(rm -rf y)', 'yes'],
    ['Bash(rm *)', 'run_shell', 'echo "rm -rf y"', 'no'],
    ['Bash(rm *)', 'run_shell', '$TOOL -rf y', 'unknown'],
    ['Bash(*[test]*)', 'run_shell', 'echo "[test]" now', 'yes'],
    ['Edit(*.ts)', 'edit_file', 'src/a.ts', 'yes'],
    ['Edit(*.ts)', 'write_file', 'a.ts', 'yes'],
    ['Edit(*.ts)', 'edit_file', 'a.js', 'no'],
    ['Edit(*.ts)', 'read_file', 'a.ts', 'no'],
    ['Read(.env)', 'read_file', 'deep/down/.env', 'yes'],
    ['Read(./.env)', 'read_file', '.env', 'yes'],
    ['Read(secrets/)', 'read_file', 'secrets/key', 'yes'],
    ['Write(src/**)', 'write_file', 'src/a/b.ts', 'yes'],
    ['Write(src/**)', 'write_file', 'lib/src/b.ts', 'no'],
    ['Write(**/src/**)', 'write_file', 'lib/src/b.ts', 'yes'],
    ['Write(/src/**)', 'write_file', 'src/b.ts', 'yes'],
    ['Read(//etc/**)', 'read_file', '/etc/hosts', 'yes'],
    ['Read(~/.ssh/**)', 'read_file', '/home/you/.ssh/id', 'yes'],
    ['WebFetch(domain:Example.com)', 'web_fetch', 'HTTPS://example.COM/x', 'yes'],
    ['WebFetch(domain:example.com)', 'web_fetch', 'https://other.org/', 'no'],
    ['mcp__tickets', 'mcp__tickets__open', '', 'yes'],
    ['mcp__tickets__open', 'mcp__tickets__close', '', 'no'],
    ['Task(reviewer)', 'spawn_agent', '', 'yes'],
    ['Agent(reviewer)', 'spawn_agent', '', 'yes'],
  ])('%s on %s %j says %s', async (text, tool, argument, answer) => {
    expect(await fits(text, tool, argument)).toBe(answer);
  });

  it.each(['', 'Bash(git', 'Bash && Edit', '(x)'])(
    '%j that cannot be read fits every call [contract.if.unknown-runs]',
    async (text) => {
      const translated = translateRule(text);
      expect(translated.ok).toBe(false);
      expect(await fits(text, 'run_shell', 'ls')).toBe('yes');
    },
  );
});
