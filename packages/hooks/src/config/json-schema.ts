// The settings file as a JSON Schema: what editors complete, explain and check with.
import { lifecycleCatalogue } from '../lifecycle/catalogue.ts';
import { policyCatalogue } from '../policy/catalogue.ts';
import type { PolicyEventDefinition } from '../policy/define-event.ts';
import {
  belongsTo,
  type HandlerType,
  type HookFieldName,
  handlerTypes,
  hookFields,
  requiredField,
} from './hook-fields.ts';
import { settingsKeys } from './schema.ts';
import type { JsonSchema } from './shape.ts';

/** Draft 7, which editors know best. Derived from the tables the loader reads with. */
export function settingsJsonSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Codey settings',
    description: 'settings.json, settings.local.json and managed-settings.json in .codey or .koder.',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'This schema, for your editor.' },
      hooks: hooksSchema(),
      ...mapValues(settingsKeys, ({ shape, setBy }) => withOwner(shape.schema, setBy)),
    },
    definitions: {
      toolGroup: groupSchema(true),
      group: groupSchema(false),
      ...Object.fromEntries(
        handlerTypes.flatMap((type) => [
          [hookName(type, true), hookSchema(type, true)],
          [hookName(type, false), hookSchema(type, false)],
        ]),
      ),
    },
  };
}

function hooksSchema(): JsonSchema {
  return {
    type: 'object',
    description: 'What runs at which event. Case counts in the names of events.',
    properties: {
      ...mapValues(policyCatalogue, policyEventSchema),
      ...mapValues(lifecycleCatalogue, lifecycleEventSchema),
    },
    additionalProperties: false,
  };
}

function policyEventSchema({ summary, block, matchOn, aboutToolCall }: PolicyEventDefinition): JsonSchema {
  const blocking = block ?? 'There is nothing to block.';
  const matching =
    matchOn === null ? 'A matcher has no effect here.' : `The matcher is tested on the ${matchOn.what}.`;
  return {
    type: 'array',
    description: `${summary} A block: ${blocking} ${matching}`,
    items: { $ref: aboutToolCall ? '#/definitions/toolGroup' : '#/definitions/group' },
  };
}

function lifecycleEventSchema({ summary }: { readonly summary: string }): JsonSchema {
  return {
    type: 'array',
    description: `${summary} Its commands are told and change nothing.`,
    items: { type: 'string', minLength: 1, description: 'Shell command with ten seconds of its own.' },
  };
}

function groupSchema(aboutToolCall: boolean): JsonSchema {
  return {
    type: 'object',
    properties: {
      matcher: {
        type: 'string',
        description:
          'Regular expression that may match anywhere in the match value. Empty, missing or * matches all.',
        examples: ['edit_file|write_file', '^mcp__'],
      },
      hooks: {
        type: 'array',
        description: 'Run one after another; one that blocks ends the group.',
        items: {
          oneOf: handlerTypes.map((type) => ({ $ref: `#/definitions/${hookName(type, aboutToolCall)}` })),
        },
      },
    },
    required: ['hooks'],
    additionalProperties: false,
  };
}

function hookSchema(type: HandlerType, aboutToolCall: boolean): JsonSchema {
  const names = (Object.keys(hookFields) as HookFieldName[]).filter(
    (field) => belongsTo(field, type) && (field !== 'if' || aboutToolCall),
  );
  const properties = Object.fromEntries(names.map((field) => [field, hookFields[field].shape.schema]));
  return {
    type: 'object',
    title: `${type} hook`,
    properties: {
      ...properties,
      type: { const: type, description: hookFields.type.shape.schema.description },
    },
    required: ['type', requiredField[type]],
    additionalProperties: false,
  };
}

function hookName(type: HandlerType, aboutToolCall: boolean): string {
  return aboutToolCall ? `${type}ToolHook` : `${type}Hook`;
}

function withOwner(
  schema: JsonSchema,
  setBy: (typeof settingsKeys)[keyof typeof settingsKeys]['setBy'],
): JsonSchema {
  switch (setBy) {
    case 'anyone':
      return schema;
    case 'user':
      return withRemark(schema, 'Not read from a repository.');
    case 'managed':
      return withRemark(schema, 'Managed settings only.');
  }
}

function withRemark(schema: JsonSchema, remark: string): JsonSchema {
  return { ...schema, description: `${String(schema.description)} ${remark}` };
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
