// This program as a peer for a driver that runs coding agents side by side against one model server: `--peer bench/peer.mjs`.
// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './stage.mjs';

/** @typedef {{ home: string, url: string, hooks: readonly { event: string, command: string }[] }} Setup */

const { version } = JSON.parse(
  readFileSync(new URL('../packages/codey/package.json', import.meta.url), 'utf8'),
);

// biome-ignore lint/style/noDefaultExport: the driver takes a module's default export
export default {
  id: 'ours',
  version,
  wire: 'Anthropic Messages',
  command: [process.execPath, program],
  toolEvent: 'PreToolUse',
  events: [
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'Stop',
    'InstructionsLoaded',
  ],
  /** @param {Setup} places */
  setup({ home, hooks }) {
    /** @type {Record<string, { hooks: { type: 'command', command: string }[] }[]>} */
    const configured = {};
    for (const { event, command } of hooks) {
      const group = { hooks: [{ type: /** @type {const} */ ('command'), command }] };
      configured[event] = [...(configured[event] ?? []), group];
    }
    mkdirSync(join(home, '.codey'), { recursive: true });
    writeFileSync(join(home, '.codey/settings.json'), JSON.stringify({ hooks: configured }));
  },
  args: () => [
    '-p',
    'run echo hi',
    '--model',
    'anthropic/claude-bench',
    '--permission-mode',
    'bypassPermissions',
  ],
  /** @param {Setup} places */
  env: ({ url }) => ({ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: url }),
};
