// Every generated file with its text.
import { settingsJsonSchema } from '../../packages/hooks/src/config/json-schema.ts';
import { policyEventNames } from '../../packages/hooks/src/policy/catalogue.ts';
import { apiPage } from './api-page.ts';
import { claudePage } from './claude-page.ts';
import type { GeneratedFile } from './disk.ts';
import { eventsPage } from './events-page.ts';
import { inputSchema } from './input-schema.ts';
import { sortedJson } from './json.ts';
import { lifecycleSchema } from './lifecycle-schema.ts';
import { outputSchema } from './output-schema.ts';

/** The same sources give the same bytes, whatever machine and day. */
export function generatedFiles(root: string): GeneratedFile[] {
  const schemas = 'packages/hooks/schema';
  return [
    ...policyEventNames.flatMap((event) => [
      { path: `${schemas}/${event}.input.json`, text: sortedJson(inputSchema(event)) },
      { path: `${schemas}/${event}.output.json`, text: sortedJson(outputSchema(event)) },
    ]),
    { path: `${schemas}/settings.json`, text: sortedJson(settingsJsonSchema()) },
    { path: `${schemas}/lifecycle.json`, text: sortedJson(lifecycleSchema()) },
    { path: 'docs/api.md', text: apiPage(root) },
    { path: 'docs/events.md', text: eventsPage() },
    { path: 'docs/claude-hooks.md', text: claudePage() },
  ];
}
