// Told that a watched file changed.
import { basename } from 'node:path';
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const FileChanged = definePolicyEvent({
  name: 'FileChanged',
  family: 'Context and workspace',
  summary: 'Between turns, when a file that a hook registered with `watchPaths` has changed.',
  get payload() {
    return {
      file_path: v.pipe(v.string(), v.description('Absolute path of the file.')),
    };
  },
  matchOn: {
    what: 'name of the file, without its directory',
    value: (payload) => basename(payload.file_path),
  },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'in-order',
  block: null,
  output: ['additionalContext', 'watchPaths'],
  textIsContext: false,
  envFile: true,
  example: { file_path: '/home/you/shop/docs/spec.md' },
  since: '0.1.0',
});
