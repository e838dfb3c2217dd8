// Every field a hook may have: what it looks like, what it is for, which types of hook it belongs to.
import type { Node } from './document.ts';
import type { Handler } from './hook.ts';
import {
  choice,
  type FieldValues,
  flag,
  list,
  record,
  type Shape,
  type ShapeContext,
  text,
  wrongType,
} from './shape.ts';
import { headerName, headerValue, httpUrl, noNul, variableName } from './text-checks.ts';

/** The types that a file can hold; functions come from the embedding program only. */
export type HandlerType = Exclude<Handler['type'], 'function'>;

export const handlerTypes = [
  'command',
  'http',
  'prompt',
  'agent',
  'worker',
] as const satisfies readonly HandlerType[];

export interface HookField<T> {
  readonly shape: Shape<T>;
  readonly on: readonly HandlerType[];
}

const everywhere = handlerTypes;
const processes = ['command', 'worker'] as const;
const models = ['prompt', 'agent'] as const;

const seconds: Shape<number> = {
  schema: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 3600,
    default: 60,
    description: 'Seconds before the hook is ended. 60 when not said, at most 3600.',
  },
  parse: parseSeconds,
};

export const hookFields = {
  type: { on: everywhere, shape: choice('What kind of hook this is.', handlerTypes) },
  command: {
    on: processes,
    shape: text({ description: 'Shell command. The event arrives as JSON on stdin.', check: noNul }),
  },
  args: {
    on: processes,
    shape: list(
      'Arguments: with them `command` names a program that is started without a shell.',
      text({ description: 'One argument, passed as it is.', empty: true, check: noNul }),
    ),
  },
  shell: {
    on: processes,
    shape: text({ description: 'The shell that runs the command, such as bash.', check: noNul }),
  },
  url: {
    on: ['http'],
    shape: text({ description: 'Address the event is posted to as JSON.', check: httpUrl }),
  },
  headers: {
    on: ['http'],
    shape: record(
      {
        description: 'More request headers. `${VAR}` is filled in for variables that `allowedEnvVars` lists.',
        key: headerName,
      },
      text({ description: 'Value of the header.', empty: true, check: headerValue }),
    ),
  },
  allowedEnvVars: {
    on: ['http'],
    shape: list(
      'Environment variables whose values may stand in headers.',
      text({ description: 'Name of an environment variable.', check: variableName }),
    ),
  },
  prompt: { on: models, shape: text({ description: 'What the model is asked to judge.' }) },
  model: { on: models, shape: text({ description: 'Another model than the session’s, as provider/name.' }) },
  timeout: { on: everywhere, shape: seconds },
  if: {
    on: everywhere,
    shape: text({
      description:
        'Runs the hook only for calls that match: a tool, or a tool with a glob over its command, path or url.',
      schema: { examples: ['run_shell(git push*)'] },
    }),
  },
  once: { on: everywhere, shape: flag('Runs the hook at most once in a session.') },
  async: { on: everywhere, shape: flag('Runs the hook in the background. What it answers decides nothing.') },
  onFailure: {
    on: everywhere,
    shape: choice('What it means when the hook breaks: `pass` goes on, `block` blocks.', ['pass', 'block']),
  },
  statusMessage: { on: everywhere, shape: text({ description: 'Shown while the hook runs.' }) },
} as const satisfies Readonly<Record<string, HookField<unknown>>>;

/** The field without which a hook of the type has nothing to run. */
export const requiredField = {
  command: 'command',
  worker: 'command',
  http: 'url',
  prompt: 'prompt',
  agent: 'prompt',
} as const satisfies Record<HandlerType, HookFieldName>;

export type HookFieldName = keyof typeof hookFields;

export type HookFieldValues = FieldValues<{ readonly [K in HookFieldName]: (typeof hookFields)[K]['shape'] }>;

export function isHookField(key: string): key is HookFieldName {
  return Object.hasOwn(hookFields, key);
}

export function belongsTo(field: HookFieldName, type: HandlerType): boolean {
  return hookFields[field].on.some((one) => one === type);
}

/** People coming from other agents write milliseconds; 5000 seconds would be a deadline nobody notices. */
function parseSeconds(node: Node, label: string, context: ShapeContext): number | undefined {
  if (node.type !== 'number') {
    const digits = node.type === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*s?\s*$/.exec(node.value)?.[1] : undefined;
    const hint = digits === undefined ? undefined : `write ${digits} without quotes`;
    return wrongType(node, label, 'a number of seconds', context, hint);
  }
  const value: number = node.value;
  if (value > 0 && value <= 3600) return value;
  const hint = looksLikeMilliseconds(value)
    ? `did you mean ${value / 1000}? ${value} looks like milliseconds`
    : undefined;
  context.findings.problem(
    context.area,
    node,
    `${label} must be above 0 and at most 3600 seconds, not ${value}`,
    hint,
  );
  return undefined;
}

function looksLikeMilliseconds(value: number): boolean {
  return value > 3600 && value <= 3_600_000 && value % 100 === 0;
}
