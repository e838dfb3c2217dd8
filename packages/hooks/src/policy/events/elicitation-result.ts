// Asked before the answer to an MCP server is sent.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { elicitingServer } from './fields.ts';

export const ElicitationResult = definePolicyEvent({
  name: 'ElicitationResult',
  family: 'MCP interactions',
  summary: 'When the request of an MCP server was answered, before the answer is sent.',
  get payload() {
    return {
      server_name: elicitingServer(),
      action: v.pipe(v.picklist(['accept', 'decline', 'cancel']), v.description('The answer.')),
      source: v.pipe(v.picklist(['hook', 'user']), v.description('Who answered.')),
      field_names: v.pipe(
        v.array(v.string()),
        v.readonly(),
        v.description('Names of the fields that were filled in; their values are not told.'),
      ),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The answer is replaced by `decline`.',
  output: [],
  textIsContext: false,
  envFile: false,
  example: { server_name: 'tickets', action: 'accept', source: 'user', field_names: ['confirm'] },
  since: '0.1.0',
});
