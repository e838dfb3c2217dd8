// JSON Schema of what a hook of a policy event may print.
import * as v from 'valibot';
import { policyCatalogue, type PolicyEventName } from '../../packages/hooks/src/policy/catalogue.ts';
import type { OutputField } from '../../packages/hooks/src/policy/define-event.ts';
import { commonSpecificAnswers, optional, specificAnswers, topLevelAnswers } from './answers.ts';
import { type JsonObjectSchema, objectSchema } from './object-schema.ts';

/** Further keys are allowed, as the engine lets them pass. */
export function outputSchema(event: PolicyEventName): JsonObjectSchema {
  return {
    ...objectSchema(outputOf(event)),
    title: `${event} output`,
    description: `What a hook of ${event} may print on stdout as one JSON object.`,
  };
}

/** The same as a valibot schema, with which examples can be checked. */
export function outputOf(event: PolicyEventName) {
  const fields: readonly OutputField[] = policyCatalogue[event].output;
  const specific: v.ObjectEntries = {
    hookEventName: optional(v.literal(event), 'Name of the event.'),
    ...commonSpecificAnswers(fields.includes('permissionDecision') ? ['allow', 'deny', 'ask'] : ['deny']),
    ...Object.assign({}, ...fields.filter(isSpecific).map((field) => specificAnswers[field])),
  };
  return v.object({
    ...topLevelAnswers(fields.includes('continue') ? ['block', 'continue'] : ['block']),
    hookSpecificOutput: optional(v.object(specific), 'What is particular to the event.'),
  });
}

function isSpecific(field: OutputField): field is keyof typeof specificAnswers {
  return Object.hasOwn(specificAnswers, field);
}
