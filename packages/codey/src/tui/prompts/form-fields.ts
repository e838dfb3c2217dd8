// A field of a server's form as a question, and what an answer to it means as a value. Pure.
import type { FormField } from '@codey/agent';
import type { AskedQuestion } from './question-state.ts';

export function questionOf(field: FormField): AskedQuestion {
  const { title, description, kind, required, initial } = field;
  const need = required ? 'required' : 'may be left empty';
  const asked = {
    header: title.slice(0, 60),
    question: description || title,
    note: `${sayKind(kind)} · ${initial === undefined ? need : `left empty it is ${sayInitial(field)}`}`,
  };
  switch (kind.kind) {
    case 'yes-no':
      return { ...asked, options: [{ label: 'Yes' }, { label: 'No' }], optionsOnly: true };
    case 'one-of':
      return { ...asked, options: labelsOf(kind.choices).map((label) => ({ label })), optionsOnly: true };
    case 'some-of':
      return {
        ...asked,
        options: labelsOf(kind.choices).map((label) => ({ label })),
        optionsOnly: true,
        multiple: true,
      };
    case 'text':
    case 'number':
      return { ...asked, options: [] };
  }
}

/** Undefined for an answer that was left out. What fits no field is given back as it is: the check says what is wrong. */
export function fieldValue({ kind, initial }: FormField, answer: string): unknown {
  const text = answer.trim();
  if (text === '') return initial;
  switch (kind.kind) {
    case 'yes-no':
      return text === 'Yes' ? true : text === 'No' ? false : text;
    case 'number':
      return Number(text);
    case 'one-of':
      return kind.choices[labelsOf(kind.choices).indexOf(text)]?.value ?? text;
    case 'some-of':
      return chosenValues(kind.choices, text) ?? [text];
    case 'text':
      return answer;
  }
}

type Kind<Name extends FormField['kind']['kind']> = Extract<FormField['kind'], { kind: Name }>;
type Choices = Kind<'one-of'>['choices'];

/** Choices that read alike are told apart by what is sent for them. */
function labelsOf(choices: Choices): readonly string[] {
  return choices.map(({ label, value }) =>
    choices.some((other) => other.label === label && other.value !== value) ? `${label} (${value})` : label,
  );
}

/** Answers are labels joined by commas, which labels may hold themselves; the longest that fits is meant. */
function chosenValues(choices: Choices, text: string): readonly string[] | undefined {
  const labelled = labelsOf(choices)
    .map((label, index) => ({ label, value: choices[index]?.value ?? label }))
    .toSorted((one, other) => other.label.length - one.label.length);
  const values: string[] = [];
  let rest = text;
  while (rest !== '') {
    const next = labelled.find(({ label }) => rest === label || rest.startsWith(`${label}, `));
    if (next === undefined) return undefined;
    values.push(next.value);
    rest = rest.slice(next.label.length + 2);
  }
  return values;
}

function sayKind(kind: FormField['kind']): string {
  switch (kind.kind) {
    case 'yes-no':
      return 'yes or no';
    case 'one-of':
      return 'one of these';
    case 'some-of':
      return `any of these${sayRange(kind.minItems, kind.maxItems, 0)}`;
    case 'number':
      return `${kind.whole ? 'a whole number' : 'a number'}${sayRange(kind.minimum, kind.maximum, Number.NEGATIVE_INFINITY)}`;
    case 'text': {
      const length = sayRange(kind.minLength, kind.maxLength, 0);
      const what = kind.format === undefined ? 'text' : formatNames[kind.format];
      const pattern = kind.pattern === undefined ? '' : `, fitting ${kind.pattern}`;
      return `${what}${length === '' ? '' : `${length} characters`}${pattern}`;
    }
  }
}

const formatNames: Readonly<Record<NonNullable<Kind<'text'>['format']>, string>> = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.com',
  date: 'a date such as 2026-01-31',
  'date-time': 'a date with time such as 2026-01-31T12:00:00Z',
};

/** Empty where nothing is limited. */
function sayRange(low: number, high: number, lowest: number): string {
  const isLow = low > lowest;
  const isHigh = high < Number.POSITIVE_INFINITY;
  if (isLow && isHigh) return low === high ? `, exactly ${low}` : `, ${low} to ${high}`;
  if (isLow) return `, at least ${low}`;
  return isHigh ? `, at most ${high}` : '';
}

/** In the words of the choices, where there are some. */
function sayInitial({ kind, initial }: FormField): string {
  switch (kind.kind) {
    case 'yes-no':
      return initial === true ? 'Yes' : 'No';
    case 'one-of':
    case 'some-of':
      return [initial]
        .flat()
        .map((one) => {
          const at = kind.choices.findIndex(({ value }) => value === one);
          return labelsOf(kind.choices)[at] ?? JSON.stringify(one);
        })
        .join(', ');
    case 'text':
    case 'number':
      return JSON.stringify(initial);
  }
}
