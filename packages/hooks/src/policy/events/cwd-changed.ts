// Told that the session works in another directory.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const CwdChanged = definePolicyEvent({
  name: 'CwdChanged',
  family: 'Context and workspace',
  summary:
    "When the session's working directory changes, for instance when a resume goes back to the recorded one.",
  get payload() {
    return {
      old_cwd: v.pipe(v.string(), v.description('Absolute path of the directory before.')),
      cwd: v.pipe(v.string(), v.description('Absolute path of the directory now.')),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: null,
  output: ['additionalContext', 'watchPaths'],
  textIsContext: false,
  envFile: true,
  example: { old_cwd: '/home/you/shop', cwd: '/home/you/shop/packages/cart' },
  since: '0.1.0',
});
