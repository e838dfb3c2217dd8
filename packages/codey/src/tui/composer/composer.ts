// Where prompts are written: the editor with completion, one for each tab so that drafts stay with their conversation.
import { usageOf } from '@codey/agent';
import type { Command, CommandContext } from '../commands/command.ts';
import { type CompletionMenu, createTextEditor } from '../screen/editor.ts';
import type { Screen } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import { cut } from '../screen/text.ts';
import { completingAt, rank } from './completion.ts';
import type { ProjectFiles } from './files.ts';

export interface Composer {
  lines(width: number, focused: boolean): readonly string[];
  input(data: string): void;
  /** Folded pastes written out. */
  text(): string;
  setText(text: string): void;
  readonly menuOpen: boolean;
}

export interface ComposerPorts {
  readonly screen: Screen;
  readonly style: Style;
  readonly commands: readonly Command[];
  readonly context: () => CommandContext;
  readonly files: () => ProjectFiles;
  /** Oldest first. */
  readonly history: readonly string[];
  readonly submit: (text: string) => void;
}

export const composerHint = 'Ask for something · / commands · ! shell · @ files';

const mostCompletions = 50;

export function createComposer(ports: ComposerPorts): Composer {
  const { style } = ports;
  const editor = createTextEditor(ports.screen, style, {
    submit(text) {
      if (text.trim() !== '') editor.addToHistory(text);
      ports.submit(text);
    },
    complete: (before, firstLine) => complete(before, firstLine, ports),
  });
  for (const entry of ports.history.slice(-100)) editor.addToHistory(entry);
  return {
    lines(width, focused) {
      const text = editor.text();
      const lines = editor.lines(width, { focused, mark: markOf(text, style) });
      if (text !== '') return lines;
      const [rule = '', line = '', ...rest] = lines;
      return [rule, `${line.trimEnd()}${style.dim(cut(composerHint, width - 4))}`, ...rest];
    },
    input: editor.input,
    text: editor.text,
    setText: editor.setText,
    get menuOpen() {
      return editor.menuOpen;
    },
  };
}

/** The colour of the rules says what Enter will do with the text. */
function markOf(text: string, style: Style): Style['dim'] {
  if (text.startsWith('!')) return style.magenta;
  return text.startsWith('/') ? style.cyan : style.dim;
}

/** Skills, and prompts that plugins and MCP servers keep ready: the session knows what they stand for. Commands of codey hide them. */
function commandsOfSession({
  session,
  commands,
}: CommandContext): readonly Pick<Command, 'name' | 'summary' | 'argument'>[] {
  if (session === undefined) return [];
  const { skills, plugins, surroundings } = session;
  const prompts = surroundings.mcp.prompts().map((prompt) => ({
    name: `${prompt.server}:${prompt.name}`,
    description: prompt.description,
    argument: usageOf(prompt),
  }));
  const ready: readonly { name: string; description: string; argument?: string }[] = [
    ...skills.map(({ name, description }) => ({ name, description })),
    ...plugins.flatMap((plugin) => plugin.commands).map(({ name, description }) => ({ name, description })),
    ...prompts,
  ];
  return ready
    .filter(({ name }) => commands.every((command) => command.name !== name))
    .map(({ description, ...named }) => ({ ...named, summary: description.replace(/\s+/g, ' ') }));
}

async function complete(
  before: string,
  firstLine: boolean,
  { commands, context, files }: ComposerPorts,
): Promise<CompletionMenu | undefined> {
  const completing = completingAt(before, firstLine);
  switch (completing?.kind) {
    case undefined:
      return undefined;
    case 'command': {
      const known = [...commands, ...commandsOfSession(context())];
      const names = rank(
        known.map(({ name }) => name),
        completing.typed,
        mostCompletions,
      );
      const items = names.flatMap((name) => {
        const command = known.find((each) => each.name === name);
        if (command === undefined) return [];
        const label = `/${name} ${command.argument ?? ''}`.trimEnd();
        return [{ value: `/${name}`, label, detail: command.summary }];
      });
      return { replaces: completing.typed.length + 1, items };
    }
    case 'argument': {
      const command = commands.find(({ name }) => name === completing.command);
      const known = (await command?.complete?.(context())) ?? [];
      // One that is whole leaves Enter to the command.
      if (known.some(({ value }) => value.trimEnd() === completing.typed)) return undefined;
      const values = rank(
        known.map(({ value }) => value),
        completing.typed,
        mostCompletions,
      );
      return {
        replaces: completing.typed.length,
        items: values.flatMap((value) => known.filter((each) => each.value === value)),
      };
    }
    case 'file': {
      const resources = context().session?.surroundings.mcp.resources() ?? [];
      const named = new Map(resources.map(({ server, uri, name }) => [`${server}:${uri}`, name]));
      const found = rank([...(await files().list()), ...named.keys()], completing.typed, mostCompletions);
      return {
        replaces: completing.typed.length + 1,
        items: found.map((each) => ({
          value: `@${each}${each.endsWith('/') && !named.has(each) ? '' : ' '}`,
          label: each,
          ...(named.has(each) && { detail: named.get(each) ?? '' }),
        })),
      };
    }
  }
}
