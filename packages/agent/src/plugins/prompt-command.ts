// A prompt that a plugin keeps ready: `/plugin:command words` becomes its text.
import { isObject } from '@codey/hooks';
import { splitFrontmatter } from '../frontmatter.ts';

export interface PromptCommand {
  /** `plugin:command`, as it is typed after the slash. */
  readonly name: string;
  readonly description: string;
  /** `$ARGUMENTS` stands for what is typed behind the name. */
  readonly text: string;
}

/** A Markdown file, with a description in its frontmatter if it likes. What cannot be read of that is no description. */
export async function parsePromptCommand(name: string, text: string): Promise<PromptCommand> {
  const { yaml, body } = splitFrontmatter(text) ?? { yaml: '', body: text.trim() };
  return { name, description: yaml === '' ? '' : await readDescription(yaml), text: body };
}

async function readDescription(frontmatter: string): Promise<string> {
  const yaml = await import('../model/yaml.ts');
  const document = yaml.readDocument(frontmatter, new yaml.LineCounter());
  const fields = document.errors.length > 0 ? undefined : yaml.plainValue(document);
  const description = fields?.ok && isObject(fields.value) ? fields.value.description : undefined;
  return typeof description === 'string' ? description.trim() : '';
}

/** The text of the command that a prompt begins with; any other prompt as it is. */
export function expandCommand(prompt: string, commands: readonly PromptCommand[]): string {
  const [, name, words = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return prompt;
  if (command.text.includes('$ARGUMENTS')) return command.text.replaceAll('$ARGUMENTS', () => words);
  return words === '' ? command.text : `${command.text}\n\n${words}`;
}
