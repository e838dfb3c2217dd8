// Everything under the `hooks` key: lifecycle events with commands, policy events with groups.
import { type LifecycleEventName, lifecycleEventNames } from '../lifecycle/catalogue.ts';
import { isPolicyEventName, policyCatalogue, policyEventNames } from '../policy/catalogue.ts';
import { type Node, properties } from './document.ts';
import type { Findings, Origin } from './findings.ts';
import { groupOf, parseGroup } from './group.ts';
import type { HookDefinition, LifecycleHook } from './hook.ts';
import { hookId, lifecycleIdentity } from './identity.ts';
import { describe, shorten } from './shape.ts';
import { didYouMean, sameLetters } from './suggest.ts';
import { noNul } from './text-checks.ts';

/** The hooks of one file or contributor, in the order in which they are written. */
export interface ParsedHooks {
  readonly policy: readonly HookDefinition[];
  readonly lifecycle: readonly LifecycleHook[];
}

interface SectionContext {
  readonly origin: Origin;
  readonly findings: Findings;
}

const noHooks: ParsedHooks = { policy: [], lifecycle: [] };

/** In the order of the file. An entry with a problem is left out and hides no problem of its neighbours. */
export function parseHooksSection(node: Node, context: SectionContext): ParsedHooks {
  if (node.type !== 'object') {
    const hint = 'such as {"PostToolUse": [ … ], "run_end": [ … ]}';
    context.findings.problem(
      'hooks',
      node,
      `"hooks" must be an object of events, not ${describe(node)}`,
      hint,
    );
    return noHooks;
  }
  const events = properties(node).map(({ key, keyNode, value }) => parseEvent(key, keyNode, value, context));
  return {
    policy: events.flatMap(({ policy }) => policy),
    lifecycle: events.flatMap(({ lifecycle }) => lifecycle),
  };
}

function parseEvent(name: string, nameNode: Node, value: Node, context: SectionContext): ParsedHooks {
  if (isPolicyEventName(name)) return { ...noHooks, policy: parseGroups(name, value, context) };
  if (isLifecycleEventName(name)) return { ...noHooks, lifecycle: parseCommands(name, value, context) };
  const events = [...policyEventNames, ...lifecycleEventNames];
  const hint = didYouMean(name, events) ?? '`codey hooks schema` lists the events';
  context.findings.problem('hooks', nameNode, `unknown event "${name}"`, hint);
  // The same name in another case: what stands under it can be checked too, so that one start shows all there is to fix.
  const meant = events.find((event) => sameLetters(event, name));
  if (meant !== undefined) parseEvent(meant, nameNode, value, context);
  return noHooks;
}

/** An event of either kind. */
export function isEventName(name: string): boolean {
  return isPolicyEventName(name) || isLifecycleEventName(name);
}

function isLifecycleEventName(name: string): name is LifecycleEventName {
  return (lifecycleEventNames as readonly string[]).includes(name);
}

function parseGroups(
  event: keyof typeof policyCatalogue,
  node: Node,
  context: SectionContext,
): readonly HookDefinition[] {
  const { findings, origin } = context;
  const definition = policyCatalogue[event];
  return entriesOf(event, node, groups, findings).flatMap((group, index) =>
    parseGroup(group, `${origin.file}:${event}[${index}]`, {
      event,
      definition,
      findings,
      dialect: 'native',
    }),
  );
}

function parseCommands(
  event: LifecycleEventName,
  node: Node,
  context: SectionContext,
): readonly LifecycleHook[] {
  return entriesOf(event, node, commands, context.findings).flatMap((entry) => {
    const hook = parseCommand(event, entry, context);
    return hook === undefined ? [] : [hook];
  });
}

/** The items of the list, or the value itself after reporting that it is none, so that it is checked all the same. */
function entriesOf(event: string, node: Node, kind: EntryKind, findings: Findings): readonly Node[] {
  if (node.type === 'array') return node.children ?? [];
  const hint = node.type === 'string' ? `write ${kind.example(node.value)}` : 'put it into a list: [ … ]';
  const single = node.type === 'object' || node.type === 'string';
  const message = `${event} takes a list of ${kind.what}, not ${describe(node)}`;
  findings.problem('hooks', node, message, single ? hint : undefined);
  return node.type === 'object' ? [node] : [];
}

interface EntryKind {
  readonly what: string;
  /** How a lone command is written. */
  readonly example: (command: string) => string;
}

const groups: EntryKind = { what: 'groups of hooks', example: (command) => `[${groupOf(command)}]` };
const commands: EntryKind = {
  what: 'shell commands',
  example: (command) => `[${JSON.stringify(shorten(command))}]`,
};

function parseCommand(
  event: LifecycleEventName,
  node: Node,
  { findings, origin }: SectionContext,
): LifecycleHook | undefined {
  if (node.type !== 'string') {
    const hint = node.type === 'object' ? `write the command itself: ${firstCommand(node)}` : undefined;
    findings.problem('hooks', node, `${event} takes shell commands, not ${describe(node)}`, hint);
    return undefined;
  }
  const command: string = node.value;
  const complaint = command.trim() === '' ? { message: 'is empty' } : noNul(command);
  if (complaint !== undefined) {
    findings.problem('hooks', node, `a command of ${event} ${complaint.message}`, complaint.hint);
    return undefined;
  }
  const identity = lifecycleIdentity(command, origin.root);
  return { id: hookId(event, identity), identity, event, command, source: findings.source(node) };
}

/** The command inside an object written the way policy events are. */
function firstCommand(node: Node): string {
  const pending = [node];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const command =
      next.type === 'object' ? properties(next).find(({ key }) => key === 'command')?.value : undefined;
    if (command?.type === 'string' && command.value.length <= 60) return JSON.stringify(command.value);
    for (const child of next.children ?? []) pending.push(child);
  }
  return '"…"';
}
