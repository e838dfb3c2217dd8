// One hook of a group, from its object in the file to its definition.
import { parseRule, type Rule } from '../condition/parse.ts';
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { PolicyEventDefinition } from '../policy/define-event.ts';
import { type Node, type Property, properties } from './document.ts';
import type { Findings } from './findings.ts';
import type { Handler, HookDefinition } from './hook.ts';
import {
  belongsTo,
  type HandlerType,
  type HookFieldName,
  type HookFieldValues,
  handlerTypes,
  hookFields,
  isHookField,
  requiredField,
} from './hook-fields.ts';
import { hookId, identityOf } from './identity.ts';
import { describe, oneOf, shorten } from './shape.ts';
import { didYouMean } from './suggest.ts';

/** The event a hook stands under, and where to report. */
export interface EventContext {
  readonly event: PolicyEventName;
  readonly definition: PolicyEventDefinition;
  readonly findings: Findings;
  readonly dialect: HookDefinition['dialect'];
}

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

/** The type, after reporting fields that are missing for it and fields that belong to another. */
function checkType(
  node: Node,
  written: readonly Property[],
  { type }: HookFieldValues,
  { findings }: EventContext,
): HandlerType | undefined {
  const has = (field: string): boolean => written.some(({ key }) => key === field);
  if (type === undefined) {
    if (!has('type')) findings.problem('hooks', node, 'this hook has no "type"', typeHint(has));
    return undefined;
  }
  const required = requiredField[type];
  if (!has(required)) {
    findings.problem('hooks', node, `${article(type)} hook needs "${required}"`);
  }
  for (const { key, keyNode } of written) {
    if (!isHookField(key) || belongsTo(key, type)) continue;
    const owners = oneOf(hookFields[key].on.map(String));
    findings.problem(
      'hooks',
      keyNode,
      `"${key}" belongs to ${owners} hooks, and this is ${article(type)} hook`,
    );
  }
  return type;
}

function typeHint(has: (field: string) => boolean): string {
  const meant = handlerTypes.find((type) => has(requiredField[type]));
  return meant === undefined ? `it is one of ${oneOf(handlerTypes)}` : `add "type": "${meant}"`;
}

function article(type: HandlerType): string {
  return type === 'agent' || type === 'http' ? `an ${type}` : `a ${type}`;
}

function parseCondition(
  written: readonly Property[],
  values: HookFieldValues,
  { findings, event, definition }: EventContext,
): Rule | undefined {
  const field = find(written, 'if');
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

/** Fields that are right by themselves and contradict each other. */
function checkTogether(
  written: readonly Property[],
  values: HookFieldValues,
  { findings }: EventContext,
): void {
  const onFailure = find(written, 'onFailure');
  if (onFailure !== undefined && values.onFailure === 'block' && values.async === true) {
    const hint = 'take one of the two away';
    findings.problem(
      'hooks',
      onFailure.keyNode,
      '"onFailure": "block" cannot stand beside "async", which never blocks',
      hint,
    );
  }
  const shell = find(written, 'shell');
  if (shell !== undefined && values.args !== undefined) {
    const hint = 'take one of the two away';
    findings.problem(
      'hooks',
      shell.keyNode,
      '"shell" cannot stand beside "args", which start a program without a shell',
      hint,
    );
  }
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

/** The value would be sent empty, and the server would answer something that looks like another mistake. */
function warnOfUnlistedVariables(
  written: readonly Property[],
  handler: Extract<Handler, { type: 'http' }>,
  { findings }: EventContext,
): void {
  for (const { key, value } of properties(
    find(written, 'headers')?.value ?? { type: 'object', offset: 0, length: 0 },
  )) {
    const names = [...String(value.value).matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? '');
    for (const name of new Set(names)) {
      if (handler.allowedEnvVars.includes(name)) continue;
      const hint = `add "allowedEnvVars": ${JSON.stringify([...handler.allowedEnvVars, name])}`;
      findings.warning(
        'hooks',
        value,
        `"${key}" uses \${${name}}, which "allowedEnvVars" does not list: it becomes empty`,
        hint,
      );
    }
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

function find(written: readonly Property[], field: HookFieldName): Property | undefined {
  return written.find(({ key }) => key === field);
}
