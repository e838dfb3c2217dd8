// Hooks of that format rewritten as hooks of ours, with what a person has to look at because no rewriting can settle it.
import { policyCatalogue, type PolicyEventName } from '../../policy/catalogue.ts';
import { lifecycleCatalogue } from '../../lifecycle/catalogue.ts';
import type { HookDefinition, Source } from '../../config/hook.ts';
import { claudeEvents } from './events.ts';
import { exactNames } from './matcher.ts';
import { toolTable } from './names.ts';

/** A hook of that format as an entry of our settings files. */
export interface NativeHook {
  readonly event: PolicyEventName;
  /** One group with one hook, as it stands in a settings file of ours. */
  readonly group: Readonly<Record<string, unknown>>;
  /** Where the original stands. */
  readonly source: Source;
  /** What to check by hand, a sentence each. */
  readonly remarks: readonly string[];
}

/** `textOf` gives the text of a script the command names, so that it can be searched for names that are not ours. */
export function claudeToNative(
  hooks: readonly HookDefinition[],
  textOf: (hook: HookDefinition) => string,
): readonly NativeHook[] {
  return hooks.filter(({ dialect }) => dialect === 'claude').map((hook) => rewrite(hook, textOf(hook)));
}

function rewrite(hook: HookDefinition, script: string): NativeHook {
  const { event, source } = hook;
  const matcher = rewriteMatcher(hook);
  const handler = rewriteHandler(hook);
  return {
    event,
    group: { ...(matcher.text !== undefined && { matcher: matcher.text }), hooks: [handler.entry] },
    source,
    remarks: [
      ...matcher.remarks,
      ...handler.remarks,
      ...remarkOnBlocks(hook),
      ...remarkOnWords(hook, script),
    ],
  };
}

interface Rewritten {
  readonly text?: string;
  readonly remarks: readonly string[];
}

/** Their list of exact names is a pattern here, and patterns here match anywhere in a value: so ours is anchored. */
function rewriteMatcher({ event, matcher }: HookDefinition): Rewritten {
  const { text } = matcher;
  if (text === '' || text === '*') return { remarks: [] };
  const { match } = claudeEvents[event];
  if (policyCatalogue[event].matchOn === null || match === undefined)
    return { remarks: [`${event} has no matcher here, so it runs each time; it was for ${text}`] };
  const words = exactNames(text, match);
  const known = valuesOf(event);
  if (known === undefined) return { text: words === undefined ? text : anchored(words), remarks: [] };
  const fitting = known.filter((value) => matcher.test(value) !== 'no');
  const servers = words?.filter((word) => word.startsWith('mcp__')) ?? [];
  if (words === undefined && text.includes('mcp'))
    return { text, remarks: [`the matcher is kept as it is: ${text}`] };
  const names = [...fitting, ...servers];
  return names.length === 0
    ? { text, remarks: [`nothing here is called ${text}, so it will never run`] }
    : {
        text: anchored(names),
        remarks: words === undefined ? [`the matcher ${text} became the names it matched`] : [],
      };
}

function anchored(names: readonly string[]): string {
  const [only = ''] = names;
  return names.length === 1 ? `^${only}$` : `^(?:${names.join('|')})$`;
}

/** Every value the matcher can be tested on; undefined where anybody may name new ones. */
function valuesOf(event: PolicyEventName): readonly string[] | undefined {
  if (policyCatalogue[event].aboutToolCall) return Object.keys(toolTable);
  switch (event) {
    case 'SessionStart':
      return lifecycleCatalogue.session_start.reasons;
    case 'PreCompact':
    case 'PostCompact':
      return ['manual', 'auto'];
    case 'ConfigChange':
      return ['user_settings', 'project_settings'];
    case 'Notification':
      return ['permission_prompt', 'question', 'elicitation'];
    default:
      return undefined;
  }
}

/** Seconds a hook has here when it does not say. */
const ownDefault = 60;
const longest = 3600;

function rewriteHandler(hook: HookDefinition): {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly remarks: readonly string[];
} {
  const { handler, condition, timeoutMs, async: inBackground, onFailure, statusMessage } = hook;
  const seconds = Math.min(timeoutMs / 1000, longest);
  const rule =
    condition === undefined
      ? undefined
      : condition.tools.join('|') + (condition.glob === undefined ? '' : `(${condition.glob})`);
  return {
    entry: {
      ...rewriteCommand(handler),
      ...(rule !== undefined && { if: rule }),
      // Each type has a time of its own there, and one for all here: said, so that it stays what it was.
      ...(seconds !== ownDefault && { timeout: seconds }),
      ...(inBackground && { async: true }),
      ...(onFailure === 'block' && { onFailure }),
      ...(statusMessage !== undefined && { statusMessage }),
    },
    remarks:
      timeoutMs / 1000 > longest ? [`its timeout of ${timeoutMs / 1000} s is cut to ${longest} s`] : [],
  };
}

function rewriteCommand(handler: HookDefinition['handler']): Readonly<Record<string, unknown>> {
  switch (handler.type) {
    case 'command':
      return { ...handler, command: renameVariables(handler.command) };
    case 'http': {
      const { type, url, headers, allowedEnvVars } = handler;
      return {
        type,
        url,
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(allowedEnvVars.length > 0 && { allowedEnvVars }),
      };
    }
    case 'worker':
    case 'prompt':
    case 'agent':
      return { ...handler };
    case 'function':
      throw new TypeError('no settings file can hold an in-process hook');
  }
}

/** Names that mean the same here. */
const variables: Readonly<Record<string, string>> = {
  CLAUDE_PROJECT_DIR: 'CODEY_PROJECT_DIR',
  CLAUDE_ENV_FILE: 'CODEY_ENV_FILE',
  CLAUDE_CODE_SESSION_ID: 'CODEY_SESSION_ID',
  CLAUDE_PLUGIN_ROOT: 'CODEY_SKILL_DIR',
};

function renameVariables(command: string): string {
  return command.replace(/\bCLAUDE_[A-Z_]+\b/g, (name) => variables[name] ?? name);
}

function remarkOnBlocks({ event, handler }: HookDefinition): readonly string[] {
  if (handler.type !== 'command' && handler.type !== 'http') return [];
  switch (claudeEvents[event].block) {
    case 'continue':
      return [
        `exit code 2 and "decision": "block" end the run here; to send the agent back to work print {"decision": "continue", "reason": "…"}`,
      ];
    case 'nothing':
      return policyCatalogue[event].block === null
        ? []
        : [`exit code 2 blocks here, where it did nothing there`];
    case 'deny':
      return [];
  }
}

/** Their words for what a hook reads and prints, with ours. */
const words: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/\btool_response\b/, 'tool_response is called result'],
  [/\bfile_path\b/, 'tool_input.file_path is called tool_input.path'],
  [
    /["'](?:Bash|Edit|Write|Read|MultiEdit|Grep|Glob|WebFetch)["']/,
    'tools have other names, such as run_shell and edit_file',
  ],
  [/"approve"/, '"decision": "approve" is said with permissionDecision'],
];

/** A program that reads the event reads it in our words from now on. */
function remarkOnWords({ handler, event }: HookDefinition, script: string): readonly string[] {
  if (handler.type !== 'command') return [];
  const text = `${handler.command}\n${(handler.args ?? []).join('\n')}\n${script}`;
  const unknown = [...new Set(text.match(/\bCLAUDE_[A-Z_]+\b/g) ?? [])];
  const inScript = unknown.filter((name) => variables[name] === undefined || script.includes(name));
  return [
    ...(policyCatalogue[event].aboutToolCall || event === 'Stop'
      ? words.flatMap(([theirs, ours]) => (theirs.test(text) ? [ours] : []))
      : []),
    ...inScript.map(
      (name) =>
        `it reads ${name}${variables[name] === undefined ? ', which has no counterpart' : `, which is called ${variables[name]}`}`,
    ),
  ];
}
