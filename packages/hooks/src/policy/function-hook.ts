// Makes a hook of an in-process function, with the same outcomes and deadlines as every other.
import { compileMatcher } from '../condition/matcher.ts';
import { parseRule } from '../condition/parse.ts';
import type { HookDefinition, HookFunction } from '../config/hook.ts';
import type { PolicyEventName } from './catalogue.ts';

export interface FunctionHookOptions {
  /** Shown wherever the hook is named. */
  readonly name?: string;
  /** As in settings: a regular expression on the event's match value. */
  readonly matcher?: string;
  /** As in settings: `tool` or `tool(glob)`. */
  readonly if?: string;
  /** Seconds, above 0 and at most 3600; 60 when absent. */
  readonly timeout?: number;
  readonly once?: boolean;
  readonly onFailure?: 'pass' | 'block';
}

/** Throws for options that cannot be: the caller wrote them. */
export function functionHook(
  event: PolicyEventName,
  call: HookFunction,
  options: FunctionHookOptions,
  index: number,
): HookDefinition {
  const name = options.name ?? (call.name || 'function hook');
  const timeout = options.timeout ?? 60;
  if (!(timeout > 0 && timeout <= 3600)) {
    throw new RangeError(`timeout of ${name} is ${timeout}; it is in seconds, above 0 and at most 3600`);
  }
  const matcher = compileMatcher(options.matcher);
  if (!matcher.ok) throw new SyntaxError(`matcher of ${name}: ${matcher.message}`);
  const condition = options.if === undefined ? undefined : parseRule(options.if);
  if (condition !== undefined && !condition.ok) throw new SyntaxError(`if of ${name}: ${condition.message}`);
  const identity = `function:${index}:${name}`;
  return {
    id: `${event}:${name}`,
    identity,
    event,
    handler: { type: 'function', name, call },
    matcher: matcher.matcher,
    ...(condition !== undefined && { condition: condition.rule }),
    timeoutMs: timeout * 1000,
    once: options.once ?? false,
    async: false,
    onFailure: options.onFailure ?? 'pass',
    source: { scope: 'host', file: name, line: 0, column: 0, fromRepository: false },
    group: identity,
    dialect: 'native',
  };
}
