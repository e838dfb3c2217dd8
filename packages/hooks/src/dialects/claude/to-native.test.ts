import { describe, expect, it } from 'vitest';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseSettings } from '../../config/parse.ts';
import { loadClaudeHooks } from './load.ts';
import { claudeToNative, type NativeHook } from './to-native.ts';

/** The hooks of one settings file of that format, rewritten. */
async function rewrite(hooks: object, script = ''): Promise<readonly NativeHook[]> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'codey-to-native-')));
  try {
    mkdirSync(path.join(root, '.claude'));
    writeFileSync(path.join(root, '.claude/settings.json'), JSON.stringify({ hooks }));
    const loaded = await loadClaudeHooks({ projectRoot: root });
    return claudeToNative(loaded.hooks, () => script);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const entry = (command: string, more: object = {}) => ({ type: 'command', command, ...more });

describe('claudeToNative', () => {
  it.each<[string, string, string | undefined]>([
    ['Bash', 'PreToolUse', '^run_shell$'],
    ['Edit|Write', 'PostToolUse', '^(?:edit_file|write_file)$'],
    ['*', 'PreToolUse', undefined],
    ['Notebook.*|^Bash$', 'PreToolUse', '^run_shell$'],
    ['mcp__wiki__.*', 'PreToolUse', 'mcp__wiki__.*'],
    ['manual', 'PreCompact', '^manual$'],
    ['reviewer', 'SubagentStop', '^reviewer$'],
  ])('makes of the matcher %s on %s %s', async (matcher, event, expected) => {
    const [hook] = await rewrite({ [event]: [{ matcher, hooks: [entry('true')] }] });
    expect(hook?.group.matcher).toBe(expected);
  });

  it('keeps what runs, renames variables and says how long it had', async () => {
    const [hook] = await rewrite({
      PreToolUse: [{ hooks: [entry('"$CLAUDE_PROJECT_DIR"/guard.sh', { if: 'Bash(git push:*)' })] }],
    });
    expect(hook).toMatchObject({
      event: 'PreToolUse',
      group: {
        hooks: [
          {
            type: 'command',
            command: '"$CODEY_PROJECT_DIR"/guard.sh',
            if: 'run_shell(git push*)',
            timeout: 600,
          },
        ],
      },
      remarks: [],
    });
  });

  it('names what has to be looked at', async () => {
    const [stop, post] = await rewrite(
      {
        Stop: [{ hooks: [entry('npm test || exit 2', { timeout: 60 })] }],
        PostToolUse: [{ hooks: [entry(`jq -r .tool_input.file_path | xargs fmt`)] }],
      },
      'echo "$CLAUDE_PROJECT_DIR $CLAUDE_EFFORT"',
    );
    expect(stop?.group).toEqual({ hooks: [{ type: 'command', command: 'npm test || exit 2' }] });
    expect(stop?.remarks[0]).toContain('"decision": "continue"');
    expect(post?.remarks).toEqual([
      'tool_input.file_path is called tool_input.path',
      'it reads CLAUDE_PROJECT_DIR, which is called CODEY_PROJECT_DIR',
      'it reads CLAUDE_EFFORT, which has no counterpart',
    ]);
  });

  it('writes what our own loader takes without a word', async () => {
    const converted = await rewrite({
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [entry('a', { timeout: 5000, async: true }), { type: 'http', url: 'https://h.example/' }],
        },
      ],
      UserPromptSubmit: [{ hooks: [{ type: 'prompt', prompt: 'fine?', model: 'haiku' }] }],
      SessionStart: [{ matcher: 'startup|resume', hooks: [entry('b', { statusMessage: 'looking' })] }],
      SessionEnd: [{ matcher: 'logout', hooks: [entry('c')] }],
      Notification: [{ matcher: 'permission_prompt', hooks: [entry('d')] }],
    });
    const hooks: Record<string, unknown[]> = {};
    for (const { event, group } of converted) hooks[event] = [...(hooks[event] ?? []), group];
    const file = parseSettings({ text: JSON.stringify({ hooks }), scope: 'user', file: '/settings.json' });
    expect({ problems: file.problems, warnings: file.warnings }).toEqual({ problems: [], warnings: [] });
    expect(file.hooks).toHaveLength(converted.length);
  });
});
