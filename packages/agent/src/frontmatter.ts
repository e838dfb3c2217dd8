// A Markdown file with settings on top: the YAML between two lines of dashes, and the text below.

export interface SplitFile {
  /** Empty for a file without frontmatter. */
  readonly yaml: string;
  /** The line of the file the YAML begins on, from 1. */
  readonly yamlLine: number;
  readonly body: string;
}

/** Undefined where the frontmatter is opened and not closed. */
export function splitFrontmatter(text: string): SplitFile | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (!isFence(lines[0])) return { yaml: '', yamlLine: 1, body: text.trim() };
  const end = lines.findIndex((line, at) => at > 0 && isFence(line));
  if (end === -1) return undefined;
  return {
    yaml: lines.slice(1, end).join('\n'),
    yamlLine: 2,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---\s*$/.test(line);
}
