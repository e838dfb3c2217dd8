// Which fields of a hook must stand together, and which cannot.
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
import { oneOf } from './shape.ts';

/** The event a hook stands under, and where to report. */
export interface EventContext {
  readonly event: PolicyEventName;
  readonly definition: PolicyEventDefinition;
  readonly findings: Findings;
  readonly dialect: HookDefinition['dialect'];
}

/** The type, after reporting fields that are missing for it and fields that belong to another. */
export function checkType(
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

/** Fields that are right by themselves and contradict each other. */
export function checkTogether(
  written: readonly Property[],
  values: HookFieldValues,
  { findings }: EventContext,
): void {
  const onFailure = findField(written, 'onFailure');
  if (onFailure !== undefined && values.onFailure === 'block' && values.async === true) {
    const hint = 'take one of the two away';
    findings.problem(
      'hooks',
      onFailure.keyNode,
      '"onFailure": "block" cannot stand beside "async", which never blocks',
      hint,
    );
  }
  const shell = findField(written, 'shell');
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

/** The value would be sent empty, and the server would answer something that looks like another mistake. */
export function warnOfUnlistedVariables(
  written: readonly Property[],
  handler: Extract<Handler, { type: 'http' }>,
  { findings }: EventContext,
): void {
  for (const { key, value } of properties(
    findField(written, 'headers')?.value ?? { type: 'object', offset: 0, length: 0 },
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

/** A field as it was written. */
export function findField(written: readonly Property[], field: HookFieldName): Property | undefined {
  return written.find(({ key }) => key === field);
}
