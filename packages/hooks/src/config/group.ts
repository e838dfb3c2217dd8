// One group of a policy event: `{matcher?, hooks: [...]}`.
import { compileMatcher, type Matcher } from '../condition/matcher.ts';
import { type Node, properties } from './document.ts';
import type { Findings } from './findings.ts';
import type { HookDefinition } from './hook.ts';
import type { EventContext } from './hook-checks.ts';
import { hookOf, parseHook } from './hook-entry.ts';
import { isHookField } from './hook-fields.ts';
import { describe } from './shape.ts';
import { didYouMean } from './suggest.ts';

/** Hooks with a problem are left out; all problems of the group are reported whatever else is wrong with it. */
export function parseGroup(node: Node, key: string, context: EventContext): readonly HookDefinition[] {
  const { findings, event } = context;
  if (node.type !== 'object') {
    findings.problem(
      'hooks',
      node,
      `a group of ${event} must be an object, not ${describe(node)}`,
      groupHint(node),
    );
    return [];
  }
  const entries = new Map(properties(node).map((property) => [property.key, property]));
  for (const { key: name, keyNode } of entries.values()) {
    if (name !== 'matcher' && name !== 'hooks') reportGroupKey(name, keyNode, entries.has('hooks'), context);
  }
  const matcher = parseMatcher(entries.get('matcher')?.value, context);
  const hooks = parseList(
    node,
    entries.get('hooks')?.value,
    entries.has('command') || entries.has('type'),
    context,
  );
  return hooks.flatMap((hook) => {
    const entry = parseHook(hook, context);
    return entry === undefined || matcher === undefined ? [] : [{ ...entry, matcher, group: key }];
  });
}

/** Behaviour stands on each hook; on the group it would be passed over in silence. */
function reportGroupKey(name: string, at: Node, isGroup: boolean, { findings, event }: EventContext): void {
  if (isHookField(name)) {
    if (!isGroup) return;
    const hint = `move it into each object inside "hooks"`;
    findings.problem('hooks', at, `"${name}" stands on a group of ${event}, but it belongs to a hook`, hint);
    return;
  }
  const hint = didYouMean(name, ['matcher', 'hooks']);
  findings.problem('hooks', at, `unknown key "${name}" in a group of ${event}`, hint);
}

/** Undefined after a problem. */
function parseMatcher(
  node: Node | undefined,
  { findings, event, definition }: EventContext,
): Matcher | undefined {
  if (node !== undefined && node.type !== 'string') {
    findings.problem('hooks', node, `"matcher" must be a string, not ${describe(node)}`, matcherHint(node));
    return undefined;
  }
  const written: string | undefined = node?.value;
  const matchesAll = written === undefined || written === '' || written === '*';
  if (node !== undefined && !matchesAll && definition.matchOn === null) {
    const hint = 'leave it out';
    findings.warning(
      'hooks',
      node,
      `${event} has nothing a matcher could be tested on, so this one matches always`,
      hint,
    );
    return compile(undefined, node, findings);
  }
  return compile(written, node, findings);
}

function compile(
  written: string | undefined,
  node: Node | undefined,
  findings: Findings,
): Matcher | undefined {
  const compiled = compileMatcher(written);
  if (compiled.ok) return compiled.matcher;
  const glob = written?.startsWith('*') === true && compileMatcher(`.${written}`).ok;
  const hint = glob ? `a matcher is a regular expression; did you mean ".${written}"?` : undefined;
  findings.problem('hooks', node ?? { offset: 0 }, compiled.message, hint);
  return undefined;
}

function matcherHint(node: Node): string | undefined {
  if (node.type !== 'array') return undefined;
  const names = (node.children ?? []).map((child) => child.value);
  return names.every((name) => typeof name === 'string')
    ? `write ${JSON.stringify(names.join('|'))}`
    : undefined;
}

function parseList(
  group: Node,
  node: Node | undefined,
  looksLikeHook: boolean,
  { findings, event }: EventContext,
): readonly Node[] {
  if (node === undefined) {
    if (looksLikeHook) {
      const hint = 'put it into a group: {"hooks": [ … ]}';
      findings.problem('hooks', group, `this is a hook, where ${event} takes groups of hooks`, hint);
    } else findings.problem('hooks', group, `this group of ${event} has no "hooks" list`);
    return [];
  }
  if (node.type === 'array') return node.children ?? [];
  const single = node.type === 'object' || node.type === 'string';
  const hint = node.type === 'string' ? `write [${hookOf(node.value)}]` : 'put the hook into a list: [ … ]';
  findings.problem(
    'hooks',
    node,
    `"hooks" of a group must be a list of hooks, not ${describe(node)}`,
    single ? hint : undefined,
  );
  return node.type === 'object' ? [node] : [];
}

/** A bare command is how lifecycle events are written. */
function groupHint(node: Node): string | undefined {
  if (node.type === 'string') return `write ${groupOf(node.value)}`;
  return node.type === 'array' ? 'take one pair of brackets away' : undefined;
}

/** How a command is written as a group of its own. */
export function groupOf(command: string): string {
  return `{"hooks": [${hookOf(command)}]}`;
}
