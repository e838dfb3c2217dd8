// A home, a project and two stories for benchmarks, in a temporary folder.
// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../packages/codey/bin/codey.js', import.meta.url));

/** Two turns: one shell call, then the answer. */
export const twoTurns = [{ calls: [{ tool: 'run_shell', input: { command: 'echo hi' } }] }, { text: 'done' }];

export function createStage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codey-bench-')));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(home);
  execFileSync('git', ['init', '--quiet', project]);
  const script = join(folder, 'story.json');
  writeFileSync(script, JSON.stringify(twoTurns));
  return {
    folder,
    home,
    project,
    script,
    /** @param {NodeJS.ProcessEnv} [more] */
    environment: (more = {}) => ({ PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...more }),
    /** So many different no-op hooks on PreToolUse, a group each. @param {number} count */
    hooks(count) {
      const groups = Array.from({ length: count }, (_, index) => ({
        hooks: [{ type: 'command', command: `true ${index}` }],
      }));
      this.settings({ hooks: { PreToolUse: groups } });
    },
    /** @param {object} settings */
    settings(settings) {
      const file = join(home, '.codey/settings.json');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(settings));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
