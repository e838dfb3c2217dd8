// One hook of a group, from its object in the file to its definition.
import { parseRule, type Rule } from '../condition/parse.ts';
import { type Node, type Property, properties } from './document.ts';
import type { Handler, HookDefinition } from './hook.ts';
import {
  checkTogether,
  checkType,
  type EventContext,
  findField,
  warnOfUnlistedVariables,
} from './hook-checks.ts';
import { type HandlerType, type HookFieldValues, hookFields, isHookField } from './hook-fields.ts';
import { hookId, identityOf } from './identity.ts';
import { describe, shorten } from './shape.ts';
import { didYouMean } from './suggest.ts';

/** What a hook is by itself; its group adds matcher and position. */
export type HookEntry = Omit<HookDefinition, 'matcher' | 'group'>;

/** Seconds a policy hook has when it does not say. */
const defaultTimeout = 60;

/** Undefined if it has a problem; all of its problems are reported. */
export function parseHook(node: Node, context: EventContext): HookEntry | undefined {
  const { findings } = context;
  if (node.type !== 'object') {
    const hint = node.type === 'string' ? `write ${hookOf(node.value)}` : undefined;
    findings.problem('hooks', node, `a hook must be an object, not ${describe(node)}`, hint);
    return undefined;
  }
  const before = findings.problems.length;
  const written = properties(node);
  const values = parseFields(written, context);
  const type = checkType(node, written, values, context);
  const condition = parseCondition(written, values, context);
  checkTogether(written, values, context);
  if (type === undefined || findings.problems.length > before) return undefined;
  const handler = makeHandler(type, values);
  if (handler.type === 'http') warnOfUnlistedVariables(written, handler, context);
  return makeEntry(node, handler, values, condition, context);
}

/** How a command is written as a hook. */
export function hookOf(command: string): string {
  return `{"type": "command", "command": ${JSON.stringify(shorten(command))}}`;
}

function parseFields(written: readonly Property[], { findings }: EventContext): HookFieldValues {
  const entries = written.flatMap(({ key, keyNode, value }) => {
    if (!isHookField(key)) {
      findings.problem('hooks', keyNode, `unknown field "${key}" in a hook`, unknownFieldHint(key));
      return [];
    }
    const parsed = hookFields[key].shape.parse(value, `"${key}"`, { findings, area: 'hooks' });
    return parsed === undefined ? [] : [[key, parsed] as const];
  });
  return Object.fromEntries(entries) as HookFieldValues;
}

function unknownFieldHint(key: string): string | undefined {
  if (key === 'matcher') return 'it belongs to the group, beside "hooks"';
  return didYouMean(key, Object.keys(hookFields));
}

function parseCondition(
  written: readonly Property[],
  values: HookFieldValues,
  { findings, event, definition }: EventContext,
): Rule | undefined {
  const field = findField(written, 'if');
  if (field === undefined) return undefined;
  if (!definition.aboutToolCall) {
    const hint = 'leave it out, or choose an event about a tool call such as PreToolUse';
    findings.problem(
      'hooks',
      field.keyNode,
      `"if" asks about a tool call, and ${event} is not about one`,
      hint,
    );
  }
  if (values.if === undefined) return undefined;
  const parsed = parseRule(values.if);
  if (parsed.ok) return parsed.rule;
  findings.problem('hooks', field.value, `"if": ${parsed.message}`, parsed.hint);
  return undefined;
}

function makeHandler(type: HandlerType, values: HookFieldValues): Handler {
  const {
    command = '',
    args,
    shell,
    url = '',
    headers = {},
    allowedEnvVars = [],
    prompt = '',
    model,
  } = values;
  switch (type) {
    case 'command':
    case 'worker':
      return {
        type,
        command,
        ...(args === undefined ? {} : { args }),
        ...(shell === undefined ? {} : { shell }),
      };
    case 'http':
      return { type, url, headers, allowedEnvVars };
    case 'prompt':
    case 'agent':
      return { type, prompt, ...(model === undefined ? {} : { model }) };
  }
}

function makeEntry(
  node: Node,
  handler: Handler,
  values: HookFieldValues,
  condition: Rule | undefined,
  { event, findings, dialect }: EventContext,
): HookEntry {
  const source = findings.source(node);
  const { timeout = defaultTimeout, once = false, async = false, onFailure = 'pass', statusMessage } = values;
  const root = source.root === undefined ? {} : { root: source.root };
  const identity = identityOf({ handler, async, ...root });
  return {
    id: hookId(event, identity),
    identity,
    event,
    handler,
    ...(condition === undefined ? {} : { condition }),
    timeoutMs: timeout * 1000,
    once,
    async,
    onFailure,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    source,
    dialect,
  };
}
