// Asked when an MCP server wants input from the user: a hook may answer in their place.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { elicitingServer } from './fields.ts';

export const Elicitation = definePolicyEvent({
  name: 'Elicitation',
  family: 'MCP interactions',
  summary: 'When an MCP server asks for input, before the form opens.',
  get payload() {
    return {
      server_name: elicitingServer(),
      message: v.pipe(v.string(), v.description('What the server says to the user.')),
      mode: v.pipe(v.string(), v.description('How the server asks: `form` for values to fill in.')),
      requestedSchema: v.pipe(
        v.record(v.string(), v.unknown()),
        v.readonly(),
        v.description('JSON Schema of the values; empty where the server asks for none.'),
      ),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The server is answered `decline`.',
  output: ['action'],
  textIsContext: false,
  envFile: false,
  example: {
    server_name: 'tickets',
    message: 'Open a ticket for this change?',
    mode: 'form',
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean' } },
      required: ['confirm'],
    },
  },
  since: '0.1.0',
});
