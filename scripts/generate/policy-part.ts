// The policy half of the events page.
import * as v from 'valibot';
import {
  policyCatalogue,
  type PolicyEventName,
  policyEventNames,
} from '../../packages/hooks/src/policy/catalogue.ts';
import {
  type Family,
  families,
  type OutputField,
  type PolicyEventDefinition,
} from '../../packages/hooks/src/policy/define-event.ts';
import { commonFields, protocol } from '../../packages/hooks/src/policy/payload.ts';
import { samplePayload } from '../../packages/hooks/src/policy/sample.ts';
import { answersPart } from './answers-part.ts';
import { jsonBlock, linkTo, table, typeWord } from './markdown.ts';
import { fieldsOf, objectSchema } from './object-schema.ts';

export function policyPart(): string {
  return [head, overview(), commonPart(), answersPart(), ...families.map(familyPart)].join('\n\n');
}

const head = `## Policy events

An event name maps to a list of groups, each with an optional \`matcher\` and a list of hooks. A matcher is a regular expression
that is searched for in the match value; an empty one, \`*\` or none matches everything.`;

function overview(): string {
  return table(
    ['event', 'match value', 'when'],
    policyEventNames.map((name) => [
      linkTo(name),
      policyCatalogue[name].matchOn?.what ?? '–',
      policyCatalogue[name].summary,
    ]),
  );
}

function commonPart(): string {
  return `### What a hook gets

The payload is one line of JSON on stdin, or the body of the request for an http hook. \`event\` and \`hook_event_name\` hold the
name of the event and \`protocol\` is ${protocol}, the version of the format; a higher number would mean that hooks may have to be
changed, an added field does not. These follow on every event:

${fieldTable(commonFields())}

The fields that an event adds stand under its name below. A whole payload looks like this:

${jsonBlock(samplePayload('PreToolUse'))}`;
}

function familyPart(family: Family): string {
  const names = policyEventNames.filter((name) => policyCatalogue[name].family === family);
  return [`### ${family}`, ...names.map(section)].join('\n\n');
}

function section(name: PolicyEventName): string {
  const definition: PolicyEventDefinition = policyCatalogue[name];
  return [
    `#### \`${name}\``,
    definition.summary,
    facts(definition)
      .map((fact) => `- ${fact}`)
      .join('\n'),
    fieldTable(definition.payload),
    jsonBlock({ event: name, ...definition.example }),
  ].join('\n\n');
}

function facts(definition: PolicyEventDefinition): string[] {
  const { matchOn, output } = definition;
  return [
    `**Block:** ${definition.block ?? 'There is nothing to block; the reason is shown and journaled.'}`,
    matchOn === null
      ? '**Matcher:** there is no match value, so every group matches.'
      : `**Matcher:** tested on the ${matchOn.what}, here \`${matchOn.value(definition.example)}\`.`,
    definition.aboutToolCall && '**`if`:** may stand on its hooks.',
    output.length > 0 && `**Also understands:** ${output.map(answerWord).join(', ')}.`,
    definition.textIsContext && '**Text on stdout** that is not JSON becomes context for the model.',
    definition.envFile &&
      '**Session variables:** what the hook exports in `$CODEY_ENV_FILE` is kept for the session.',
    definition.groups === 'in-order'
      ? '**Groups** run one after another in the order of the settings.'
      : '**Groups** run side by side.',
    definition.inRun && '**Run:** fires inside one only, so `turn` is a number.',
  ].filter((fact) => fact !== false);
}

function answerWord(field: OutputField): string {
  switch (field) {
    case 'continue':
      return '`"decision": "continue"`';
    case 'action':
      return '`action`, `content`';
    case 'permissionDecision':
    case 'updatedInput':
    case 'additionalContext':
    case 'updatedToolOutput':
    case 'watchPaths':
    case 'worktreePath':
      return `\`${field}\``;
  }
}

function fieldTable(entries: v.ObjectEntries): string {
  const rows = fieldsOf(objectSchema(v.object(entries))).map(({ path, schema, required }) => [
    `\`${path}\``,
    required ? typeWord(schema) : `${typeWord(schema)}, may be missing`,
    schema.description ?? '',
  ]);
  return table(['field', 'type', 'what it is'], rows);
}
