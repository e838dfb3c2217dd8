// What a session has around its conversation, without a disk: what is asked of it is noted, and it answers at once.
import type { SessionSurroundings } from '@codey/agent';

/** `calls` gets what reached it, in order. A directory called `no` cannot be gone to. */
export function fakeSurroundings(calls: string[]): SessionSurroundings {
  let brief = false;
  return {
    async compact(instructions) {
      calls.push(`compact ${instructions}`);
      return {
        kind: 'compacted',
        before: { tokens: 90_000, messages: 40 },
        after: { tokens: 9_000, messages: 4 },
      };
    },
    async changeDirectory(target) {
      calls.push(`cd ${target}`);
      return target === 'no'
        ? { kind: 'refused', message: 'no is not a directory' }
        : { kind: 'moved', cwd: target };
    },
    saveSetting: async () => ({ kind: 'unchanged', file: 'settings.json' }),
    get brief() {
      return brief;
    },
    async useBrief(on) {
      calls.push(`brief ${on}`);
      brief = on;
      return { kind: 'saved', file: 'settings.json' };
    },
    unknownPrompt: async () => undefined,
    mcp: {
      servers: () => [
        {
          name: 'files',
          place: 'settings.json',
          status: { kind: 'ready' },
          tools: 3,
          resources: 0,
          prompts: 1,
        },
        {
          name: 'bills',
          place: 'settings.json',
          status: { kind: 'failed', why: 'it ended at once' },
          tools: 0,
          resources: 0,
          prompts: 0,
        },
      ],
      toolNames: () => [],
      resources: () => [],
      prompts: () => [],
      readResource: async () => ({ kind: 'problem', message: 'not here' }),
      expandPrompt: async () => ({ kind: 'problem', message: 'not here' }),
      reconnect: (name) => void calls.push(`reconnect ${name}`),
    },
  };
}
