import { describe, expect, it } from 'vitest';
import { lifecycleEventNames } from '../lifecycle/catalogue.ts';
import { policyEventNames } from '../policy/catalogue.ts';
import { settingsJsonSchema } from './json-schema.ts';
import { parseSettings } from './parse.ts';
import { settingsKeys } from './schema.ts';
import type { JsonSchema } from './shape.ts';

const schema = settingsJsonSchema();

describe('what the loader takes the schema takes', () => {
  it.each([
    '{}',
    '{"$schema": "x", "model": "a/b", "theme": "dark", "unknown": 1}',
    '{"permissions": {"allow": ["read_file"], "ask": [], "deny": ["run_shell(rm*)"], "mode": "plan"}}',
    '{"disabledHooks": ["PreToolUse:01234567"], "hookEnv": {"withhold": ["TOKEN"]}, "herdr": {"report": false}}',
    '{"providers": {"a": {"baseURL": "http://h/", "apiKeyEnv": "K"}}, "mcpServers": {"a": {"x": 1}}, "env": {"A": ""}}',
    '{"hookFailure": {"project": "block"}, "allowedHttpHookUrls": ["*"], "allowManagedHooksOnly": true}',
    '{"hooks": {"run_end": ["x"], "blocked": []}}',
    '{"hooks": {"Stop": [{"hooks": []}, {"matcher": "", "hooks": [{"type": "prompt", "prompt": "x", "model": "a/b"}]}]}}',
    '{"hooks": {"PreToolUse": [{"matcher": "run", "hooks": [{"type": "command", "command": "x", "args": ["a"], "if": "b"}]}]}}',
    '{"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "https://a/", "headers": {"A": "b"}, "timeout": 0.5}]}]}}',
    '{"hooks": {"PreToolUse": [{"hooks": [{"type": "worker", "command": "x", "shell": "sh", "once": true}]}]}}',
  ])('%s', (text) => {
    expect(parseSettings({ text, scope: 'managed', file: '/s.json' }).problems).toEqual([]);
    expect(complaints(schema, JSON.parse(text))).toEqual([]);
  });
});

describe('what is wrong in shape an editor shows before the loader does', () => {
  it.each([
    '[]',
    '{"model": ""}',
    '{"permissions": {"denny": []}}',
    '{"permissions": {"mode": "Plan"}}',
    '{"disableAllHooks": "true"}',
    '{"disabledHooks": ["x"]}',
    '{"hookFailure": {"project": "pass"}}',
    '{"hookFailure": {"host": "block"}}',
    '{"hooks": []}',
    '{"hooks": {"pretooluse": []}}',
    '{"hooks": {"run_end": "x"}}',
    '{"hooks": {"run_end": [{"hooks": []}]}}',
    '{"hooks": {"Stop": ["x"]}}',
    '{"hooks": {"Stop": [{}]}}',
    '{"hooks": {"Stop": [{"timeout": 5, "hooks": []}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "if": "run_shell"}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "url": "https://a/"}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 0}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 5000}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "onFailure": "no"}]}]}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "agent", "prompt": "x", "colour": "red"}]}]}}',
  ])('%s', (text) => {
    expect(parseSettings({ text, scope: 'managed', file: '/s.json' }).problems).not.toEqual([]);
    expect(complaints(schema, JSON.parse(text))).not.toEqual([]);
  });
});

it('every key, event and field has a text to hover over', () => {
  const properties = schema.properties as Record<string, { description?: string; properties?: object }>;
  expect(Object.keys(properties).sort()).toEqual(['$schema', 'hooks', ...Object.keys(settingsKeys)].sort());
  const events = Object.entries(properties.hooks?.properties ?? {});
  expect(events.map(([name]) => name)).toEqual([...policyEventNames, ...lifecycleEventNames]);
  const hooks = Object.values(schema.definitions as Record<string, { properties: object }>);
  const described = [
    ...Object.entries(properties).filter(([key]) => key !== '$schema'),
    ...events,
    ...hooks.flatMap(({ properties: fields }) => Object.entries(fields)),
  ];
  for (const [name, value] of described) {
    expect((value as { description?: string }).description, name).toMatch(/^[A-Z].*\.$/);
  }
});

it('the schema is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

/** The keywords the schema uses, after draft 7; an unknown one fails the test instead of passing unread. */
function complaints(part: JsonSchema, value: unknown): readonly string[] {
  return Object.entries(part).flatMap(([keyword, given]) =>
    holds(keyword, given, part, value) ? [] : [keyword],
  );
}

function holds(keyword: string, given: unknown, part: JsonSchema, value: unknown): boolean {
  const members = isObject(value) ? Object.entries(value) : [];
  const known = (part.properties ?? {}) as Record<string, JsonSchema>;
  const fits = (inner: unknown, candidate: unknown) =>
    complaints(inner as JsonSchema, candidate).length === 0;
  switch (keyword) {
    case '$schema':
    case 'title':
    case 'description':
    case 'examples':
    case 'default':
    case 'definitions':
      return true;
    case '$ref': {
      const name = String(given).replace('#/definitions/', '');
      return fits((schema.definitions as Record<string, JsonSchema>)[name], value);
    }
    case 'type':
      return (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value) === given;
    case 'enum':
      return (given as unknown[]).includes(value);
    case 'const':
      return value === given;
    case 'minLength':
      return typeof value !== 'string' || value.length >= (given as number);
    case 'pattern':
      return typeof value !== 'string' || new RegExp(given as string).test(value);
    case 'exclusiveMinimum':
      return typeof value !== 'number' || value > (given as number);
    case 'maximum':
      return typeof value !== 'number' || value <= (given as number);
    case 'items':
      return !Array.isArray(value) || value.every((item) => fits(given, item));
    case 'oneOf':
      return (given as unknown[]).filter((option) => fits(option, value)).length === 1;
    case 'required':
      return !isObject(value) || (given as string[]).every((key) => Object.hasOwn(value, key));
    case 'properties':
      return members.every(([key, member]) => known[key] === undefined || fits(known[key], member));
    case 'additionalProperties': {
      const others = members.filter(([key]) => !Object.hasOwn(known, key));
      return given === false ? others.length === 0 : others.every(([, member]) => fits(given, member));
    }
    default:
      throw new Error(`the schema uses ${keyword}, which this test cannot check`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
