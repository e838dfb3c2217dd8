// A prompt that a plugin keeps ready: `/plugin:command words` becomes its text.

export interface PromptCommand {
  /** `plugin:command`, as it is typed after the slash. */
  readonly name: string;
  readonly description: string;
  /** `$ARGUMENTS` stands for what is typed behind the name. */
  readonly text: string;
}

/** A Markdown file, with a description in its frontmatter if it likes. */
export function parsePromptCommand(name: string, text: string): PromptCommand {
  const [, frontmatter = '', body = text] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
  const description = /^description:[ \t]*(.*)$/m.exec(frontmatter)?.[1]?.trim() ?? '';
  return { name, description: description.replace(/^(["'])(.*)\1$/, '$2'), text: body.trim() };
}

/** The text of the command that a prompt begins with; any other prompt as it is. */
export function expandCommand(prompt: string, commands: readonly PromptCommand[]): string {
  const [, name, words = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return prompt;
  if (command.text.includes('$ARGUMENTS')) return command.text.replaceAll('$ARGUMENTS', () => words);
  return words === '' ? command.text : `${command.text}\n\n${words}`;
}
