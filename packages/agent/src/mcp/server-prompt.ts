// A prompt that an MCP server keeps ready: `/server:prompt words` becomes its text.
import type { OfferedPrompt } from './catalogue.ts';
import type { Mcp } from './mcp.ts';

export interface ServerPromptOptions {
  readonly mcp: Pick<Mcp, 'servers' | 'ready' | 'prompts' | 'expandPrompt'>;
  readonly signal: AbortSignal;
  /** Why a prompt could not be had, for the user. */
  readonly notice: (text: string) => void;
}

/**
 * Why a text that is written like a prompt of a server or a plugin is none of those there are: a sentence with those that
 * are. Undefined for any other text, and where the wait for a server that is coming up is interrupted. Never rejects.
 *
 * @param commands names of prompts that plugins bring, as `plugin:command`
 */
export async function sayUnknownPrompt(
  text: string,
  commands: readonly string[],
  { mcp, signal }: Pick<ServerPromptOptions, 'mcp' | 'signal'>,
): Promise<string | undefined> {
  const [, written = '', server = ''] = /^\/(([^\s:/]+):[^\s/]\S*)(?:\s|$)/.exec(text.trim()) ?? [];
  if (written === '' || commands.includes(written)) return undefined;
  const isServer = mcp.servers().some(({ name }) => name === server);
  // What nobody answers to may be anything, such as a line of a file.
  if (!isServer && !/^[a-z][\w-]*:[a-z][\w-]*$/i.test(written)) return undefined;
  try {
    await mcp.ready(signal);
  } catch {
    return undefined;
  }
  const offered = mcp.prompts().map((prompt) => `${prompt.server}:${prompt.name}`);
  if (offered.includes(written)) return undefined;
  const there = [...commands, ...offered].map((name) => `/${name}`).join(', ');
  return `There is no prompt /${written}; there ${there === '' ? 'are none here' : `are ${there}`}.`;
}

/**
 * The text of the prompt that is named; any other text as it is, and one that cannot be had with the reason behind it: the
 * model is told why. Waits for servers that are coming up. Never rejects.
 */
export async function expandServerPrompt(text: string, options: ServerPromptOptions): Promise<string> {
  const { mcp, signal, notice } = options;
  const [, server = '', name = '', words = ''] =
    /^\/([^\s:]+):(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (mcp.servers().every((each) => each.name !== server)) return text;
  const refuse = (why: string): string => {
    notice(`/${server}:${name} was not filled in: ${why}`);
    return `${text}\n\n(This prompt of the MCP server ${server} could not be filled in: ${why})`;
  };
  try {
    await mcp.ready(signal);
  } catch {
    return text;
  }
  const offered = mcp.prompts().filter((prompt) => prompt.server === server);
  const prompt = offered.find((each) => each.name === name);
  if (prompt === undefined) {
    const names = offered.map((each) => `/${server}:${each.name}`).join(', ');
    return refuse(`the server offers ${names === '' ? 'no prompts' : `only ${names}`}.`);
  }
  const values = readArguments(words, prompt.arguments);
  const missing = prompt.arguments.filter((each) => each.required && values[each.name] === undefined);
  if (missing.length > 0) return refuse(`it needs ${missing.map(sayArgument).join(', ')}.`);
  const expanded = await mcp.expandPrompt(server, name, values, signal);
  return expanded.kind === 'text' ? expanded.text : refuse(expanded.message);
}

/** How the arguments of a prompt are typed, such as `<file> [style]`. */
export function usageOf({ arguments: declared }: OfferedPrompt): string {
  return declared.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');
}

/**
 * `name=value` wherever it stands, everything else in the order of the declaration; the last argument takes the rest. Quotes
 * keep words together.
 */
export function readArguments(
  text: string,
  declared: OfferedPrompt['arguments'],
): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  const loose: string[] = [];
  for (const [word] of text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g)) {
    const [, name = '', value = ''] = /^([^=\s"']+)=([\s\S]*)$/.exec(word) ?? [];
    if (declared.some((each) => each.name === name)) values.set(name, unquoted(value));
    else loose.push(unquoted(word));
  }
  const open = declared.filter(({ name }) => !values.has(name));
  for (const [index, { name }] of open.entries()) {
    const own = index === open.length - 1 ? loose.splice(0) : loose.splice(0, 1);
    if (own.length > 0) values.set(name, own.join(' '));
  }
  return Object.fromEntries(values);
}

function unquoted(word: string): string {
  return word.replace(
    /"([^"]*)"|'([^']*)'/g,
    (_, double: string | undefined, single: string) => double ?? single,
  );
}

function sayArgument({ name, description }: OfferedPrompt['arguments'][number]): string {
  return description === '' ? name : `${name} (${description})`;
}
