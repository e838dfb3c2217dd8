// What the registry of dialects gets from this folder.
export { claudeAfterCompaction } from './after-compaction.ts';
export { claude } from './claude.ts';
