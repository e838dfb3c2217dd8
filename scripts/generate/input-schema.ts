// JSON Schema of what hooks of a policy event read on stdin.
import * as v from 'valibot';
import { policyCatalogue, type PolicyEventName } from '../../packages/hooks/src/policy/catalogue.ts';
import { payloadEntries } from '../../packages/hooks/src/policy/payload.ts';
import { samplePayload } from '../../packages/hooks/src/policy/sample.ts';
import { type JsonObjectSchema, objectSchema } from './object-schema.ts';

/** Further fields are allowed: a later version may add some. */
export function inputSchema(event: PolicyEventName): JsonObjectSchema {
  return {
    ...objectSchema(v.object(payloadEntries(event))),
    title: `${event} input`,
    description: policyCatalogue[event].summary,
    examples: [samplePayload(event)],
  };
}
