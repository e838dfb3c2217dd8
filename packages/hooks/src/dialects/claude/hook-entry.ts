// One hook of that format as the engine knows it.
import { createHash } from 'node:crypto';
import { type Node, type Property, properties } from '../../config/document.ts';
import type { Findings } from '../../config/findings.ts';
import type { Handler, HookDefinition } from '../../config/hook.ts';
import { hookId, identityOf } from '../../config/identity.ts';
import { describe, oneOf } from '../../config/shape.ts';
import { didYouMean } from '../../config/suggest.ts';
import { policyCatalogue, type PolicyEventName } from '../../policy/catalogue.ts';
import { absentTypes } from './absent.ts';
import { translateRule } from './condition.ts';
import { expandPlaceholders } from './environment.ts';
import { claudeEvents } from './events.ts';
import { type ClaudeFieldValues, claudeFields, isClaudeField, otherFields } from './fields.ts';

export interface EntryContext {
  readonly event: PolicyEventName;
  readonly findings: Findings;
  /** Tells that what stands at the node never fires, and why. */
  readonly never: (at: Node, event: string, reason: string) => void;
  readonly projectRoot: string;
  /** Root of the plugin it comes from. */
  readonly root?: string;
  readonly home?: string;
}

/** A hook without its matcher and group. */
export type ClaudeEntry = Omit<HookDefinition, 'matcher' | 'group'>;

/** Undefined if it cannot run here; why was reported. */
export function parseClaudeHook(node: Node, context: EntryContext): ClaudeEntry | undefined {
  const { findings, event, never } = context;
  if (node.type !== 'object') {
    findings.problem('hooks', node, `a hook must be an object, not ${describe(node)}`);
    return undefined;
  }
  const before = findings.problems.length;
  const written = properties(node);
  const values = parseFields(written, findings);
  const type = readType(node, written, values, context);
  if (type === undefined || findings.problems.length > before) return undefined;
  if (values.if !== undefined && !policyCatalogue[event].aboutToolCall) {
    never(node, event, 'it has "if", which that format tests on tool calls only');
    return undefined;
  }
  warnOfFieldsWithoutEffect(written, findings);
  return makeEntry(node, makeHandler(type, values, context), values, context);
}

/** Fields that nobody knows are their authors' own; one that is nearly a known one is a slip. */
function parseFields(written: readonly Property[], findings: Findings): ClaudeFieldValues {
  const entries = written.flatMap(({ key, keyNode, value }) => {
    if (isClaudeField(key)) {
      const parsed = claudeFields[key].parse(value, `"${key}"`, { findings, area: 'hooks' });
      return parsed === undefined ? [] : [[key, parsed] as const];
    }
    if (!otherFields.includes(key)) {
      const hint = didYouMean(key, [...Object.keys(claudeFields), ...otherFields]);
      if (hint !== undefined)
        findings.warning('hooks', keyNode, `unknown field "${key}" in a hook is passed over`, hint);
    }
    return [];
  });
  return Object.fromEntries(entries) as ClaudeFieldValues;
}

/** With the field each type cannot do without. */
const types = { command: 'command', http: 'url', prompt: 'prompt', agent: 'prompt' } as const;
type ClaudeType = keyof typeof types;

function readType(
  node: Node,
  written: readonly Property[],
  values: ClaudeFieldValues,
  { findings, event, never }: EntryContext,
): ClaudeType | undefined {
  const field = written.find(({ key }) => key === 'type');
  const names = [...Object.keys(types), ...absentTypes.map(({ name }) => name)];
  if (field === undefined) {
    findings.problem('hooks', node, 'this hook has no "type"', `it is one of ${oneOf(names)}`);
    return undefined;
  }
  const type: unknown = field.value.value;
  const absent = absentTypes.find(({ name }) => name === type);
  if (absent !== undefined) {
    never(node, event, `${absent.name}: ${absent.reason}`);
    return undefined;
  }
  if (typeof type !== 'string' || !Object.hasOwn(types, type)) {
    const hint = typeof type === 'string' ? didYouMean(type, names) : undefined;
    findings.problem('hooks', field.value, `"type" must be ${oneOf(names)}`, hint);
    return undefined;
  }
  const known = type as ClaudeType;
  const required = types[known];
  if (values[required] === undefined && !written.some(({ key }) => key === required)) {
    findings.problem('hooks', node, `this ${known} hook needs "${required}"`);
  }
  return known;
}

function warnOfFieldsWithoutEffect(written: readonly Property[], findings: Findings): void {
  const says = (key: string): Property | undefined =>
    written.find((property) => property.key === key && property.value.value === true);
  const once = says('once');
  if (once !== undefined) {
    const message = '"once" has no effect outside of a skill in that format, so this hook runs each time';
    findings.warning('hooks', once.keyNode, message);
  }
  const rewake = says('asyncRewake');
  if (rewake !== undefined) {
    const message = '"asyncRewake" runs this hook in the background; its exit code wakes nobody here';
    findings.warning('hooks', rewake.keyNode, message);
  }
}

function makeHandler(type: ClaudeType, values: ClaudeFieldValues, context: EntryContext): Handler {
  const { command = '', args, shell, url = '', headers = {}, allowedEnvVars = [], prompt = '' } = values;
  switch (type) {
    case 'command': {
      if (args !== undefined) {
        const expand = (word: string): string => expandPlaceholders(word, context);
        return { type, command: expand(command), args: args.map(expand) };
      }
      const program = shell === 'powershell' ? 'pwsh' : shell;
      return { type, command, ...(program !== undefined && { shell: program }) };
    }
    case 'http':
      return { type, url, headers: withBraces(headers), allowedEnvVars };
    case 'prompt':
    case 'agent':
      return { type, prompt, ...modelOf(values.model) };
  }
}

/** `$NAME` is written `${NAME}` here. */
function withBraces(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(/\$([A-Za-z_]\w*)/g, '${$1}'),
  ]);
  return Object.fromEntries(entries);
}

/** Nicknames such as `haiku` name no model of a provider: the session's own answers. */
function modelOf(model: string | undefined): { readonly model?: string } {
  if (model === undefined) return {};
  if (model.includes('/')) return { model };
  return model.startsWith('claude-') ? { model: `anthropic/${model}` } : {};
}

function makeEntry(
  node: Node,
  handler: Handler,
  values: ClaudeFieldValues,
  context: EntryContext,
): ClaudeEntry {
  const { event, findings } = context;
  const source = findings.source(node);
  const inBackground = values.async === true || values.asyncRewake === true;
  const identity = claudeIdentity({
    handler,
    async: inBackground,
    ...(source.root !== undefined && { root: source.root }),
  });
  return {
    id: hookId(event, identity),
    identity,
    event,
    handler,
    ...readCondition(node, values.if, context),
    timeoutMs: (values.timeout ?? defaultTimeout(handler.type, event)) * 1000,
    once: false,
    async: inBackground,
    onFailure: blocksOnFailure(event, values.onFailure, inBackground) ? 'block' : 'pass',
    ...(values.statusMessage !== undefined && { statusMessage: values.statusMessage }),
    source,
    dialect: 'claude',
  };
}

/** Apart from a hook of ours with the same words: the two read and say different things. */
function claudeIdentity(hook: Parameters<typeof identityOf>[0]): string {
  return createHash('sha256')
    .update(`claude ${identityOf(hook)}`)
    .digest('hex');
}

function readCondition(
  node: Node,
  rule: string | undefined,
  { findings, home }: EntryContext,
): Pick<HookDefinition, 'condition'> {
  if (rule === undefined) return {};
  const translated = translateRule(rule, home);
  if (!translated.ok) findings.warning('hooks', node, translated.message);
  return { condition: translated.rule };
}

function defaultTimeout(type: Handler['type'], event: PolicyEventName): number {
  if (type === 'prompt') return 30;
  return type === 'agent' ? 60 : claudeEvents[event].timeout;
}

/** On the events that send somebody back to work, that format passes the field over. */
function blocksOnFailure(event: PolicyEventName, said: string | undefined, inBackground: boolean): boolean {
  if (inBackground) return false;
  // There a worktree is not created when any of its hooks fails.
  if (event === 'WorktreeCreate') return true;
  return said === 'block' && claudeEvents[event].block !== 'continue' && event !== 'TaskCompleted';
}
