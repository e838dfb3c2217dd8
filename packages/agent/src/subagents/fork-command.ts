// Reads `/fork [--context] prompt`.

export interface ForkCommand {
  readonly prompt: string;
  /** The fork starts from the conversation so far. */
  readonly context: boolean;
}

/** Undefined for a line that is not this command. The prompt may be empty: whoever runs it says so. */
export function parseFork(line: string): ForkCommand | undefined {
  const match = /^\/fork(?:\s+(--?context)(?=\s|$))?(?:\s+([\s\S]*))?$/.exec(line.trim());
  if (match === null) return undefined;
  return { context: match[1] !== undefined, prompt: (match[2] ?? '').trim() };
}
