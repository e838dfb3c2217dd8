// The fields of a hook in that format.
import { hookFields } from '../../config/hook-fields.ts';
import type { Node } from '../../config/document.ts';
import {
  choice,
  type FieldValues,
  flag,
  type Shape,
  type ShapeContext,
  text,
  wrongType,
} from '../../config/shape.ts';

const { command, args, url, headers, allowedEnvVars, prompt, model, statusMessage } = hookFields;

export const claudeFields = {
  command: command.shape,
  args: args.shape,
  shell: choice('The shell that runs the command.', ['bash', 'powershell']),
  url: url.shape,
  headers: headers.shape,
  allowedEnvVars: allowedEnvVars.shape,
  prompt: prompt.shape,
  model: model.shape,
  if: text({ description: 'One permission rule.' }),
  timeout: { schema: { type: 'number', exclusiveMinimum: 0 }, parse: parseSeconds } as Shape<number>,
  async: flag('Runs in the background.'),
  asyncRewake: flag('Runs in the background.'),
  onFailure: text({ description: '`block` blocks when the hook breaks.' }),
  statusMessage: statusMessage.shape,
} as const;

export type ClaudeFieldName = keyof typeof claudeFields;
export type ClaudeFieldValues = FieldValues<typeof claudeFields>;

/** Known there, and either read elsewhere or without effect here. */
export const otherFields: readonly string[] = [
  'type',
  'once',
  'continueOnBlock',
  'rewakeMessage',
  'rewakeSummary',
  'server',
  'tool',
  'input',
  'name',
  'description',
];

export function isClaudeField(key: string): key is ClaudeFieldName {
  return Object.hasOwn(claudeFields, key);
}

/** The longest deadline of this program. */
const mostSeconds = 3600;

/** That format knows no upper limit, so a longer time is cut instead of refused. */
function parseSeconds(node: Node, label: string, { findings, area }: ShapeContext): number | undefined {
  if (node.type !== 'number') return wrongType(node, label, 'a number of seconds', { findings, area });
  const value: number = node.value;
  if (value <= 0) {
    findings.problem(area, node, `${label} must be above 0 seconds, not ${value}`);
    return undefined;
  }
  if (value <= mostSeconds) return value;
  const hint = value % 1000 === 0 ? `it counts seconds; did you mean ${value / 1000}?` : undefined;
  findings.warning(area, node, `${label} is ${value} seconds and counts as ${mostSeconds}`, hint);
  return mostSeconds;
}
