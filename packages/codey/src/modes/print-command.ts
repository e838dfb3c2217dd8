// A slash command as the prompt of print mode: the code that runs it on the screen, with its words as the result.
import type { LiveSession, RunOutcome } from '@codey/agent';
import type { Opened } from '../start/session.ts';
import type { World } from '../start/world.ts';
import { sayAgent } from '../tui/commands/agents.ts';
import type { Command, CommandContext } from '../tui/commands/command.ts';
import { hookLine } from '../tui/commands/hook-line.ts';
import { sayListed } from '../tui/commands/live-list.ts';
import { commands, readCommand } from '../tui/commands/registry.ts';
import type { TabSession } from '../tui/ports.ts';
import { tabSession } from '../tui/session/tab-session.ts';
import { newTab, reduceTab } from '../tui/state/tab.ts';
import { replyParts } from '../tui/widgets/reply-parts.ts';
import { twoColumnLines } from '../tui/widgets/two-columns.ts';

export type PrintedCommand =
  /** Nothing of ours, or something the session knows better. */
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'ran'; readonly outcome: RunOutcome }
  /** There is no such command here. */
  | { readonly kind: 'refused'; readonly outcome: RunOutcome };

export interface PrintedSession {
  readonly live: LiveSession;
  readonly opened: Opened;
  readonly world: World;
}

/** Never rejects. */
export async function printCommand(text: string, parts: PrintedSession): Promise<PrintedCommand> {
  const { live, opened, world } = parts;
  const skills = opened.project.skills.map(({ name }) => name);
  const read = readCommand(text, commands, skills);
  switch (read.kind) {
    case 'prompt': {
      const unknown = await live.surroundings.unknownPrompt(text);
      return unknown === undefined ? { kind: 'prompt', text } : notThere(unknown);
    }
    case 'unknown':
      return notThere(read.message);
    case 'command': {
      const { command, argument } = read;
      // Its answer is the result here, as that of any other prompt.
      if (command.name === 'fork') return { kind: 'prompt', text: `/fork ${argument}` };
      if (command.onScreen === true)
        return {
          kind: 'refused',
          outcome: failedWith(`/${command.name} needs a screen: start codey without -p`),
        };
      const decide = async (): Promise<string> => '';
      const session = tabSession(live, opened, world, { decide });
      return { kind: 'ran', outcome: await run(command, argument, session, world) };
    }
  }
}

function notThere(message: string): PrintedCommand {
  return {
    kind: 'refused',
    outcome: failedWith(`${message} A prompt that begins with a slash can be sent with a word before it.`),
  };
}

async function run(
  command: Command,
  argument: string,
  session: TabSession,
  world: World,
): Promise<RunOutcome> {
  const said: string[] = [];
  const problems: string[] = [];
  const context = contextOf(session, {
    say(tone, text) {
      if (tone === 'plain') said.push(text);
      else if (tone === 'warning') world.notices.warn(text);
      else problems.push(text);
    },
    reply: (_title, markdown) => void said.push(plainReply(markdown)),
  });
  try {
    await command.run(context, argument);
  } catch (error) {
    problems.push(`/${command.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  const text = said.join('\n');
  return problems.length > 0
    ? failedWith(problems.join('\n'), text)
    : { ...nothing, stop: 'completed', text };
}

function contextOf(
  session: TabSession,
  { say, reply }: Pick<CommandContext, 'say' | 'reply'>,
): CommandContext {
  const tab = reduceTab(
    newTab(1),
    {
      kind: 'opened',
      facts: session.facts(),
      history: session.messages(),
      tokens: { ...session.tokens(), lastInput: 0 },
    },
    0,
  );
  // Only commands that are refused before they run would do any of this.
  const nowhere = (): void => {};
  return {
    tab: () => tab,
    session,
    host: { sessions: async () => [] },
    commands: commands.filter(({ onScreen }) => onScreen !== true),
    keys: [],
    say,
    reply,
    choose: async () => undefined,
    async showHooks() {
      const lines = (await session.hooks.list()).map(hookLine);
      say('plain', lines.length === 0 ? 'There are no hooks here.' : lines.join('\n'));
    },
    showAgents() {
      const list = session.agents.list().map(sayAgent);
      const kinds = [...session.agents.definitions.keys()].join(', ');
      say('plain', list.length === 0 ? `No agent is at work. Kinds of agents: ${kinds}.` : list.join('\n'));
    },
    showList: async (list) => sayListed(await list.read(), list.title(), { say, reply }),
    setUp: async () => ({ kind: 'refused', why: 'it needs a screen' }),
    refresh: nowhere,
    openTab: nowhere,
    closeTab: nowhere,
    clearTab: nowhere,
    resumeSession: nowhere,
    togglePause: nowhere,
    copy: nowhere,
    quit: nowhere,
  };
}

/** What is drawn as a block on the screen is lines here, as long as they are. */
function plainReply(text: string): string {
  return replyParts(text)
    .map(({ kind, part }) =>
      kind === 'columns' ? twoColumnLines(part, noWidth).join('\n') : withoutFences(part),
    )
    .join('\n');
}

const noWidth = 100_000;

function withoutFences(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !/^`{3,}\w*$/.test(line))
    .join('\n');
}

const nothing = { text: '', error: '', turns: 0, usage: { input: 0, output: 0 } };

function failedWith(error: string, text = ''): RunOutcome {
  return { ...nothing, stop: 'error', error, text };
}
