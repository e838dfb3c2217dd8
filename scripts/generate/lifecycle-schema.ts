// JSON Schema of what commands of lifecycle events read on stdin.
import * as v from 'valibot';
import {
  lifecycleEventNames,
  type LifecycleValue,
  lifecycleValues,
} from '../../packages/hooks/src/lifecycle/catalogue.ts';
import { sampleLifecycleEvent } from '../../packages/hooks/src/lifecycle/sample.ts';
import { type JsonObjectSchema, objectSchema } from './object-schema.ts';

/** One schema for all events: each has every key, and the empty string where it has no value. */
export function lifecycleSchema(): JsonObjectSchema {
  const entries = Object.entries(lifecycleValues).map(([key, { summary }]) => [
    key,
    v.pipe(schemaOf(key as LifecycleValue), v.description(summary)),
  ]);
  return {
    ...objectSchema(v.object(Object.fromEntries(entries))),
    title: 'Lifecycle event',
    description: 'What a command under a lifecycle event reads on stdin.',
    examples: lifecycleEventNames.map(sampleLifecycleEvent),
  };
}

function schemaOf(value: LifecycleValue) {
  if (value === 'event') return v.picklist(lifecycleEventNames);
  if (value === 'time') return v.pipe(v.string(), v.isoTimestamp());
  return v.string();
}
