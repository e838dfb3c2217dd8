// The few Markdown shapes the generated page is made of.
import type { JsonSchema } from './object-schema.ts';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** As it goes over the wire. */
export function jsonLine(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
}

/** What a heading `### `name`` is reached by in the page. */
export function linkTo(name: string): string {
  return `[\`${name}\`](#${name.toLowerCase()})`;
}

/** The type of a value in a reader's words: `"a"` or `"b"`, list of string, number or null. */
export function typeWord(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined)
    return listed(
      schema.enum.map((value) => `\`${JSON.stringify(value)}\``),
      'or',
    );
  if (schema.anyOf !== undefined) return listed(schema.anyOf.map(typeWord), 'or');
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'values' : typeWord(schema.items)}`;
  return String(schema.type ?? 'anything');
}

export function listed(words: readonly string[], joint: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
