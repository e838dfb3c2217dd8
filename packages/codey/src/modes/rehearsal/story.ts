// A story: what is asked, what the model answers, and what is expected to happen.
import type { OutcomeKind } from '@codey/hooks';
import { isObject, outcomeKinds } from '@codey/hooks';
import type { Pair, Scalar, YAMLMap } from 'yaml';
import { didYouMean } from '../../cli/suggest.ts';
import { type Finding, readYaml, type Step, type YamlFile } from '../../commands/read-yaml.ts';

export interface Story {
  readonly prompt: string;
  /** What the person answers who is asked for an approval. */
  readonly approve: boolean;
  /** The part that is the scripted model's, on the lines where it stood. */
  readonly script: string;
  readonly expectations: readonly StoryExpectation[];
}

/** One thing that must happen, or with `times: 0` must not. Absent means anything. */
export interface StoryExpectation {
  readonly line: number;
  readonly event?: string;
  /** How the gate decided about a call. */
  readonly gate?: 'allowed' | 'denied';
  readonly tool?: string;
  readonly agent?: string;
  /** What the hooks of a policy event came to. */
  readonly decision?: string;
  readonly reason?: string;
  readonly error?: string;
  readonly message?: string;
  readonly by?: string;
  readonly outcomes: Readonly<Record<string, string>>;
  /** How often; at least once if not given. */
  readonly times?: number;
}

export type ParsedStory =
  | { readonly ok: true; readonly story: Story }
  /** Each `file:line:column  what`. */
  | { readonly ok: false; readonly problems: readonly string[] };

const ownKeys = ['prompt', 'approve', 'expect'];
const expectationKeys = [
  'event',
  'gate',
  'tool',
  'agent',
  'decision',
  'reason',
  'error',
  'message',
  'by',
  'outcomes',
  'times',
];

/** A plain list is a script for the model and nothing else. */
export function parseStory(file: string, text: string): ParsedStory {
  const yaml = readYaml(file, text);
  if (yaml.problems.length > 0) return { ok: false, problems: yaml.problems };
  const { value } = yaml;
  if (!isObject(value))
    return { ok: true, story: { prompt: defaultPrompt, approve: true, script: text, expectations: [] } };
  const findings: Finding[] = [];
  const prompt = value.prompt ?? defaultPrompt;
  if (typeof prompt !== 'string' || prompt.trim() === '')
    findings.push({ at: ['prompt'], message: 'prompt must be a text' });
  const approve = value.approve ?? true;
  if (typeof approve !== 'boolean')
    findings.push({ at: ['approve'], message: 'approve is true or false: what the person answers' });
  const expectations = parseExpectations(value.expect, yaml, findings);
  if (findings.length > 0) return { ok: false, problems: findings.map(yaml.say) };
  return {
    ok: true,
    story: {
      prompt: typeof prompt === 'string' ? prompt : defaultPrompt,
      approve: approve === true,
      script: scriptOf(value, text, yaml),
      expectations,
    },
  };
}

const defaultPrompt = 'Play the story.';

/** What is not the model's is blanked, so that everything else stays on its line and problems are found there. */
function scriptOf(value: Fields, text: string, { document }: YamlFile): string {
  if (isJson(text)) {
    const rest = Object.entries(value).filter(([key]) => !ownKeys.includes(key));
    return JSON.stringify(Object.fromEntries(rest));
  }
  let script = text;
  for (const { key, value: node } of (document.contents as YAMLMap).items as Pair<Scalar, Scalar | null>[]) {
    if (!ownKeys.includes(String(key.value))) continue;
    const from = key.range?.[0] ?? 0;
    const to = node?.range?.[2] ?? key.range?.[2] ?? from;
    script = script.slice(0, from) + script.slice(from, to).replace(/[^\n]/g, ' ') + script.slice(to);
  }
  return script;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseExpectations(value: unknown, yaml: YamlFile, findings: Finding[]): readonly StoryExpectation[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    findings.push({ at: ['expect'], message: 'expect is a list; put "- " before each expectation' });
    return [];
  }
  return value.map((entry: unknown, index) => {
    const at = ['expect', index];
    return { ...parseExpectation(entry, at, findings), line: yaml.lineOf(at) };
  });
}

function parseExpectation(
  entry: unknown,
  at: readonly Step[],
  findings: Finding[],
): Omit<StoryExpectation, 'line'> {
  if (!isObject(entry) || (entry.event === undefined) === (entry.gate === undefined)) {
    findings.push({ at, message: 'an expectation names an event, or with "gate" how a call was decided' });
    return { outcomes: {} };
  }
  const read: Record<string, unknown> = { outcomes: {} };
  for (const [key, value] of Object.entries(entry)) {
    const problem = whatIsWrong(key, value);
    if (problem === undefined) read[key] = value;
    else findings.push({ at: [...at, key], message: problem });
  }
  return read as unknown as Omit<StoryExpectation, 'line'>;
}

function whatIsWrong(key: string, value: unknown): string | undefined {
  if (!expectationKeys.includes(key))
    return `unknown key "${key}"${didYouMean(key, expectationKeys) || `; there are ${expectationKeys.join(', ')}`}`;
  switch (key) {
    case 'times':
      return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'times is a whole number from 0';
    case 'gate':
      return value === 'allowed' || value === 'denied' ? undefined : 'gate is allowed or denied';
    case 'outcomes':
      return isObject(value) && Object.values(value).every(isOutcome)
        ? undefined
        : `outcomes maps hooks to ${outcomeKinds.join(', ')}`;
    default:
      return typeof value === 'string' ? undefined : `${key} must be a text; put it in quotes`;
  }
}

/** `blocked`, or with its word, `skipped (if)`. */
function isOutcome(value: unknown): boolean {
  return typeof value === 'string' && outcomeKinds.includes(value.replace(/ \(.*\)$/, '') as OutcomeKind);
}

type Fields = Readonly<Record<string, unknown>>;
