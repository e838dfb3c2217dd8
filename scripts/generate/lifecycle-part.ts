// The lifecycle half of the events page.
import {
  type LifecycleEventDefinition,
  type LifecycleEventName,
  lifecycleCatalogue,
  lifecycleEventNames,
  lifecycleValues,
} from '../../packages/hooks/src/lifecycle/catalogue.ts';
import { sampleLifecycleEvent } from '../../packages/hooks/src/lifecycle/sample.ts';
import { jsonLine, linkTo, listed, table } from './markdown.ts';

export function lifecyclePart(): string {
  return [head, overview(), values(), ...lifecycleEventNames.map(section)].join('\n\n');
}

const head = `## Lifecycle events

An event name maps to a list of shell commands. They run one after another in the project root, each for at most ten seconds,
and are given the event twice: as variables and as one line of JSON on stdin.`;

function overview(): string {
  return table(
    ['event', 'when'],
    lifecycleEventNames.map((name) => [linkTo(name), lifecycleCatalogue[name].summary]),
  );
}

function values(): string {
  const rows = Object.entries(lifecycleValues).map(([key, { variable, summary }]) => [
    `\`${key}\``,
    variable === null ? '' : `\`CODEY_${variable}\``,
    summary,
  ]);
  return `### What a command gets

${table(['key in the JSON', 'variable', 'what it is'], rows)}

Every variable is set and every key is there for every event, empty where the event has no such value, so a command never has
to test first. Each variable has a twin with the prefix \`KODER_\`. Values are at most 1,000 characters long and hold no control
characters.`;
}

function section(name: LifecycleEventName): string {
  const definition: LifecycleEventDefinition = lifecycleCatalogue[name];
  const carried = definition.carries.map((value) => `\`${value}\``);
  return [
    `### \`${name}\``,
    definition.summary,
    carried.length === 0
      ? 'Carries no values of its own.'
      : `Carries ${listed(carried, 'and')}.${reasonWords(definition)}`,
    jsonLine(sampleLifecycleEvent(name)),
  ].join('\n\n');
}

function reasonWords({ reasons }: LifecycleEventDefinition): string {
  if (reasons.length === 0) return '';
  return ` \`reason\` is ${listed(
    reasons.map((reason) => `\`${reason}\``),
    'or',
  )}.`;
}
