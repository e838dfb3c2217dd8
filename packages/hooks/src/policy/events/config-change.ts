// Asked after the program saved a settings file, before the new value counts.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const ConfigChange = definePolicyEvent({
  name: 'ConfigChange',
  family: 'Context and workspace',
  summary:
    'When the program has saved a setting, for instance through `/brief`; the new value counts once the hooks passed.',
  get payload() {
    return {
      source: v.pipe(
        v.picklist(['user_settings', 'project_settings']),
        v.description('Whose file was saved; the local one counts as the project’s.'),
      ),
      file_path: v.pipe(v.string(), v.description('Absolute path of the file.')),
    };
  },
  matchOn: { what: 'source', value: (payload) => payload.source },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block:
    'The file gets its earlier bytes and mode back if it still is what the program wrote; otherwise it is left alone and the conflict is reported.',
  output: [],
  textIsContext: false,
  envFile: false,
  example: { source: 'project_settings', file_path: '/home/you/shop/.codey/settings.json' },
  since: '0.1.0',
});
