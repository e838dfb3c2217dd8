// Collects what is wrong with one agent definition, each finding with its place.

export interface PlaceInFile {
  readonly line: number;
  readonly column: number;
}

export interface Report {
  readonly file: string;
  readonly problems: string[];
  readonly warnings: string[];
  readonly places: Map<string, PlaceInFile>;
  /** Of an entry below the keys of the frontmatter. */
  readonly placeAt: (path: readonly (string | number)[]) => PlaceInFile;
}

export function wrong(key: string, what: string, hint: string | undefined, report: Report): void {
  say(report.problems, report, placeOf(key, report), `"${key}" ${what}`, hint);
}

export function placeOf(key: string, report: Report): PlaceInFile {
  return report.places.get(key) ?? { line: 1, column: 1 };
}

export function say(
  list: string[],
  { file }: Report,
  { line, column }: PlaceInFile,
  message: string,
  hint?: string,
): void {
  list.push(`${file}:${line}:${column}  ${message}${hint === undefined ? '' : `  (${hint})`}`);
}
