// The text of one agent definition, turned into the definition or into everything that is wrong with it.
import { type FieldOptions, type Fields, type ParsedDefinition, readFields } from './definition-fields.ts';
import { type Report, say } from './definition-report.ts';
import { entryOffset } from '../entry-offset.ts';
import { splitFrontmatter } from '../frontmatter.ts';

export interface DefinitionFile {
  /** Absolute, for messages and as the place of its hooks. */
  readonly file: string;
  readonly text: string;
  /** It came with the repository: what it may choose is limited. */
  readonly fromRepository: boolean;
}

/** Never rejects. */
export async function parseDefinition(
  { file, text, fromRepository }: DefinitionFile,
  options: FieldOptions,
): Promise<ParsedDefinition> {
  const split = splitFrontmatter(text);
  if (split === undefined)
    return {
      kind: 'problems',
      problems: [`${file}:1:1  the frontmatter is not closed  (end it with a line "---")`],
    };
  const yaml = await import('../model/yaml.ts');
  const lines = new yaml.LineCounter();
  const document = yaml.readDocument(split.yaml, lines);
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line) + split.yamlLine - 1, column: Math.max(1, col) };
  };
  const report: Report = {
    file,
    problems: [],
    warnings: [],
    places: new Map(),
    placeAt: (path) => at(entryOffset(document, path)),
  };
  if (document.errors.length > 0) {
    for (const error of document.errors) say(report.problems, report, at(error.pos[0]), error.message);
    return { kind: 'problems', problems: report.problems };
  }
  const plain = yaml.plainValue(document);
  if (!plain.ok) {
    say(report.problems, report, at(0), `the frontmatter ${plain.message}`);
    return { kind: 'problems', problems: report.problems };
  }
  const value = plain.value ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    say(
      report.problems,
      report,
      at(0),
      'the frontmatter must be keys with values',
      'such as "description: …"',
    );
    return { kind: 'problems', problems: report.problems };
  }
  for (const item of (document.contents as { items?: readonly Pair[] } | null)?.items ?? []) {
    const { value: key, range } = item.key ?? {};
    if (typeof key === 'string') report.places.set(key, at(range?.[0] ?? 0));
  }
  return readFields(value as Fields, { file, body: split.body, fromRepository }, report, options);
}

interface Pair {
  readonly key?: { readonly value?: unknown; readonly range?: readonly number[] | null };
}
