// A walk through every other setting, drawn from the schema the settings are read with. Hooks are left out: a command
// that runs on somebody's behalf is in the file because that person typed it there.
import { parseSettings, settingsJsonSchema, settingsKeys } from '@codey/hooks';
import type { Answer } from './answer.ts';
import type { Ask } from './prompts/prompt.ts';
import { confirm, select } from './prompts/select.ts';
import { text } from './prompts/text.ts';

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly [string, ...string[]];

/** A setting that is asked about as a whole. */
interface Leaf {
  readonly path: Path;
  readonly schema: Schema;
}

/** `current` is what the user's own files say, by path. */
export async function askOthers(
  current: (path: Path) => unknown,
  asked: readonly Path[],
  ask: Ask,
): Promise<readonly Answer[]> {
  if (
    !(await ask(
      confirm('Walk through all other settings?', false, [
        'hooks are left out: they are yours to type into the file',
      ]),
    ))
  )
    return [];
  const already = new Set(asked.map((path) => path.join('.')));
  const answers: Answer[] = [];
  for (const leaf of otherSettings()) {
    if (already.has(leaf.path.join('.'))) continue;
    const answer = await askLeaf(leaf, current(leaf.path), ask);
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
}

/** Every setting that can be written here; objects of known keys are taken apart. */
export function otherSettings(): readonly Leaf[] {
  const { properties } = settingsJsonSchema() as { properties: Readonly<Record<string, Schema>> };
  return Object.entries(properties).flatMap(([key, schema]) =>
    key === 'hooks' || key === '$schema' ? [] : leaves([key], schema),
  );
}

function leaves(path: Path, schema: Schema): readonly Leaf[] {
  if (typeof schema.properties !== 'object' || schema.properties === null) return [{ path, schema }];
  return Object.entries(schema.properties as Record<string, Schema>).flatMap(([key, inner]) =>
    leaves([...path, key], inner),
  );
}

async function askLeaf({ path, schema }: Leaf, current: unknown, ask: Ask): Promise<Answer | undefined> {
  const question = path.join('.');
  const details = typeof schema.description === 'string' ? [schema.description] : [];
  const value = await askValue({ path, schema }, current, { question, details }, ask);
  if (value === keep) return undefined;
  return { path, value, file: isManaged(path) ? 'managed' : 'user' };
}

/** The answer to Enter: the setting stays as it is, said or not. */
const keep = Symbol('keep');

type Words = { readonly question: string; readonly details: readonly string[] };

async function askValue({ path, schema }: Leaf, current: unknown, words: Words, ask: Ask): Promise<unknown> {
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    return ask(
      select<unknown>({
        ...words,
        rows: [
          { value: keep, label: current === undefined ? 'not set' : `as it is: ${JSON.stringify(current)}` },
          ...choices.filter((choice) => choice !== current).map((value) => ({ value, label: String(value) })),
          ...(current === undefined ? [] : [{ value: undefined, label: 'not set' }]),
        ],
      }),
    );
  }
  const plain = schema.type === 'string';
  const shown = typeof current === 'string' && plain ? current : (JSON.stringify(current) ?? '');
  const typed = await ask(
    text({
      ...words,
      details: [...words.details, plain ? 'Empty: not set.' : `${exampleOf(schema)} Empty: not set.`],
      initial: shown,
      check: (answer) =>
        answer === '' || answer === shown ? undefined : complaintAbout(path, plain, answer),
    }),
  );
  if (typed === shown) return keep;
  if (typed === '') return undefined;
  return plain ? typed : JSON.parse(typed);
}

function choicesOf({ type, enum: values }: Schema): readonly unknown[] | undefined {
  if (type === 'boolean') return [true, false];
  return Array.isArray(values) ? values : undefined;
}

function exampleOf({ type, items }: Schema): string {
  if (type !== 'array') return 'An object in JSON, such as {"name": …}.';
  const [example] = (items as { examples?: readonly unknown[] } | undefined)?.examples ?? [];
  return `A list in JSON, such as [${JSON.stringify(example ?? '…')}].`;
}

/** What the loader would say of it at the next start. */
function complaintAbout(path: Path, plain: boolean, answer: string): string | undefined {
  let value: unknown = answer;
  try {
    if (!plain) value = JSON.parse(answer);
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const whole = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const scope = isManaged(path) ? 'managed' : 'user';
  const [problem] = parseSettings({ text: JSON.stringify(whole), scope, file: 'settings.json' }).problems;
  return problem === undefined
    ? undefined
    : `${problem.message}${problem.hint === undefined ? '' : ` (${problem.hint})`}`;
}

/** Whether the user's ordinary file is the wrong place, where it would not be read. */
function isManaged([key]: Path): boolean {
  return (settingsKeys as Readonly<Record<string, { readonly setBy: string }>>)[key]?.setBy === 'managed';
}
