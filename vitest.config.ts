// How the tests run: package imports lead to sources, Markdown and pages are text as in the bundle, the machine stays outside.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
    {
      name: 'texts-as-text',
      enforce: 'pre',
      load: (id) =>
        /\.(?:md|html)$/.test(id) ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))};` : undefined,
    },
  ],
  resolve: { conditions: ['codey-source', 'node'] },
  ssr: { resolve: { conditions: ['codey-source', 'node'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    environment: 'node',
    // Real processes: every test file gets a process of its own, whose environment it may change.
    pool: 'forks',
    // They wait for processes most of the time; fewer side by side would leave the processors idle.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['scripts/test-guard.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A shared machine may hold a process up for seconds; a test that fails twice in a row has failed.
    retry: process.env.CI === 'true' ? 1 : 0,
  },
});
