// JSON in pages parses, and what is written as settings is what the loader takes without a word.
import { settingsKeys } from '../../packages/hooks/src/config/schema.ts';
import { parseSettings } from '../../packages/hooks/src/config/parse.ts';
import { lifecycleEventNames } from '../../packages/hooks/src/lifecycle/catalogue.ts';
import { policyEventNames } from '../../packages/hooks/src/policy/catalogue.ts';
import type { Block, Page, Placed } from './page.ts';

export function checkJson(page: Page): readonly Placed[] {
  return page.blocks
    .filter(({ language }) => language === 'json' || language === 'jsonc')
    .flatMap((block) => findFaults(block).map((text) => ({ text, line: block.line })));
}

function findFaults({ text }: Block): readonly string[] {
  try {
    // A page may show one key of an object that it has shown before.
    const value: unknown = JSON.parse(text.trimStart().startsWith('"') ? `{${text}}` : text);
    const settings = asSettings(value);
    return settings === undefined ? [] : complaints(JSON.stringify(settings));
  } catch (error) {
    return [`this is not JSON: ${error instanceof Error ? error.message : String(error)}`];
  }
}

const eventNames = new Set<string>([...lifecycleEventNames, ...policyEventNames]);
const settingNames = new Set<string>(['hooks', '$schema', ...Object.keys(settingsKeys)]);
const handlerTypes = new Set<unknown>(['command', 'worker', 'http', 'prompt', 'agent']);

/** The settings file that a value is, or is a part of; undefined for payloads and answers. */
function asSettings(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  if (keys.every((key) => settingNames.has(key))) return value;
  if (keys.every((key) => eventNames.has(key))) return { hooks: value };
  if ('type' in value && handlerTypes.has(value.type)) return { hooks: { PreToolUse: [{ hooks: [value] }] } };
  return undefined;
}

/** Some keys are for managed files only, others for the user's: what one of the two takes is right. */
function complaints(text: string): readonly string[] {
  const found = (['user', 'managed'] as const).map((scope) => {
    const { problems, warnings } = parseSettings({ text, scope, file: 'settings.json' });
    return [...problems, ...warnings].map(({ message }) => `the loader says: ${message}`);
  });
  return found.find((messages) => messages.length === 0) ?? found[0] ?? [];
}
