// JSON in pages parses, and what is written as settings is what the loader takes without a word.
import { type ParseError, parse } from 'jsonc-parser';
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
  const errors: ParseError[] = [];
  // A page may show one key of an object that it has shown before.
  const whole = text.trimStart().startsWith('"') ? `{${text}}` : text;
  const value: unknown = parse(whole, errors, { allowTrailingComma: true });
  if (errors.length > 0) return [`this is not JSON, from character ${errors[0]?.offset} on`];
  const settings = asSettings(value);
  return settings === undefined ? [] : complaints(JSON.stringify(settings));
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
