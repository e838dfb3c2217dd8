// Asked about each instructions file before the model gets it.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const InstructionsLoaded = definePolicyEvent({
  name: 'InstructionsLoaded',
  family: 'Context and workspace',
  summary: 'For each `AGENTS.md` that is loaded at session start; not with `--bare`, which loads none.',
  get payload() {
    return {
      reason: v.pipe(v.string(), v.description('Why the file is loaded, for instance `session_start`.')),
      file_path: v.pipe(v.string(), v.description('Absolute path of the file.')),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The content of that file is left out.',
  output: ['additionalContext', 'watchPaths'],
  textIsContext: false,
  envFile: false,
  example: { reason: 'session_start', file_path: '/home/you/shop/AGENTS.md' },
  since: '0.1.0',
});
