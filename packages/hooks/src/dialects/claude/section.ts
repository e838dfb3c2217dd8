// The `hooks` key of a settings file or plugin of that format.
import { type Node, properties } from '../../config/document.ts';
import type { Findings } from '../../config/findings.ts';
import type { HookDefinition, Source } from '../../config/hook.ts';
import { describe } from '../../config/shape.ts';
import { didYouMean, sameLetters } from '../../config/suggest.ts';
import { isPolicyEventName, policyEventNames, type PolicyEventName } from '../../policy/catalogue.ts';
import { absentEvents } from './absent.ts';
import { alsoAfterCompaction } from './after-compaction.ts';
import { claudeEvents } from './events.ts';
import { isClaudeField } from './fields.ts';
import { type EntryContext, parseClaudeHook } from './hook-entry.ts';
import { compileClaudeMatcher, exactNames } from './matcher.ts';

/** An entry that is right in that format and has no moment here. */
export interface NeverFires {
  readonly event: string;
  /** Completes “never fires:”. */
  readonly reason: string;
  readonly source: Source;
}

/** Files that a FileChanged hook wants watched from the start, by its matcher. */
export interface WatchedFiles {
  /** Of the hook. */
  readonly id: string;
  /** Names relative to the project root, or absolute paths. */
  readonly paths: readonly string[];
}

export interface ClaudeSection {
  readonly hooks: readonly HookDefinition[];
  readonly neverFires: readonly NeverFires[];
  readonly watches: readonly WatchedFiles[];
}

export interface SectionContext {
  readonly file: string;
  readonly findings: Findings;
  readonly projectRoot: string;
  readonly root?: string;
  readonly home?: string;
}

/** In the order of the file. An entry that cannot run is reported and leaves its neighbours alone. */
export function parseClaudeSection(node: Node, context: SectionContext): ClaudeSection {
  const { findings } = context;
  const section = {
    hooks: [] as HookDefinition[],
    neverFires: [] as NeverFires[],
    watches: [] as WatchedFiles[],
  };
  if (node.type !== 'object') {
    findings.problem('hooks', node, `"hooks" must be an object of events, not ${describe(node)}`);
    return section;
  }
  const never: EntryContext['never'] = (at, event, reason) => {
    section.neverFires.push({ event, reason, source: findings.source(at) });
  };
  for (const { key: event, keyNode, value } of properties(node)) {
    const absent = absentEvents.find(({ name }) => name === event);
    if (absent !== undefined) never(keyNode, event, absent.reason);
    else if (isPolicyEventName(event)) {
      const entry: EntryContext = { ...context, event, never };
      for (const [index, group] of groupsOf(value, event, findings).entries()) {
        parseGroup(group, `${context.file}:${event}[${index}]`, entry, section);
      }
    } else reportUnknownEvent(event, keyNode, findings);
  }
  return section;
}

function reportUnknownEvent(event: string, at: Node, findings: Findings): void {
  const names = [...policyEventNames, ...absentEvents.map(({ name }) => name)];
  const meant = names.find((name) => sameLetters(name, event));
  const hint = meant === undefined ? didYouMean(event, names) : `did you mean "${meant}"?`;
  findings.problem('hooks', at, `unknown event "${event}"`, hint);
}

function groupsOf(node: Node, event: PolicyEventName, findings: Findings): readonly Node[] {
  if (node.type === 'array') return node.children ?? [];
  findings.problem('hooks', node, `${event} takes a list of groups, not ${describe(node)}`);
  return [];
}

function parseGroup(
  node: Node,
  key: string,
  context: EntryContext,
  section: { hooks: HookDefinition[]; watches: WatchedFiles[] },
): void {
  const { findings, event, never } = context;
  if (node.type !== 'object') {
    findings.problem('hooks', node, `a group of ${event} must be an object, not ${describe(node)}`);
    return;
  }
  const written = new Map(properties(node).map((property) => [property.key, property]));
  reportGroupKeys(node, findings);
  const matcherNode = written.get('matcher')?.value;
  if (matcherNode !== undefined && matcherNode.type !== 'string') {
    findings.problem('hooks', matcherNode, `"matcher" must be a string, not ${describe(matcherNode)}`);
    return;
  }
  const text: string | undefined = matcherNode?.value;
  const compiled = compileClaudeMatcher(event, text);
  if (!compiled.ok) {
    findings.problem('hooks', matcherNode ?? node, compiled.message);
    return;
  }
  const { remark } = compiled;
  if (remark?.kind === 'never') never(matcherNode ?? node, event, remark.reason);
  if (remark?.kind === 'warning') findings.warning('hooks', matcherNode ?? node, remark.message, remark.hint);
  for (const [index, hookNode] of hooksOf(node, written.get('hooks')?.value, context).entries()) {
    const entry = parseClaudeHook(hookNode, context);
    if (entry === undefined || remark?.kind === 'never') continue;
    // A group of its own: there, hooks of one matcher start together and none waits for another.
    const hook = { ...entry, matcher: compiled.matcher, group: `${key}.hooks[${index}]` };
    const again = alsoAfterCompaction(hook);
    section.hooks.push(...(again === undefined ? [hook] : [hook, again]));
    const { match } = claudeEvents[event];
    const names = match?.fileNames === true && text !== undefined ? exactNames(text, match) : undefined;
    if (names !== undefined && text !== '*') section.watches.push({ id: entry.id, paths: names });
  }
}

/** Behaviour on the group is passed over there, and whoever wrote it should know. Other keys are their authors' own. */
function reportGroupKeys(node: Node, findings: Findings): void {
  for (const { key, keyNode } of properties(node)) {
    if (key === 'matcher' || key === 'hooks') continue;
    const hint = isClaudeField(key)
      ? 'move it into each object inside "hooks"'
      : didYouMean(key, ['matcher', 'hooks']);
    if (hint !== undefined) findings.warning('hooks', keyNode, `"${key}" on a group has no effect`, hint);
  }
}

function hooksOf(group: Node, node: Node | undefined, { findings, event }: EntryContext): readonly Node[] {
  if (node?.type === 'array') return node.children ?? [];
  if (node === undefined) findings.problem('hooks', group, `this group of ${event} has no "hooks" list`);
  else findings.problem('hooks', node, `"hooks" of a group must be a list of hooks, not ${describe(node)}`);
  return [];
}
