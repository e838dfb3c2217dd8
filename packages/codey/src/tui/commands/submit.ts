// What is done with a line when Enter is pressed: a command, a line of the shell, else a prompt.
import type { PromptHistory } from '../ports.ts';
import type { Store } from '../state/store.ts';
import type { TabControl } from '../tabs/control.ts';
import type { CommandContext } from './command.ts';
import { readCommand } from './registry.ts';

export interface SubmitPorts {
  readonly store: Pick<Store, 'tell'>;
  readonly history: PromptHistory;
  readonly contextOf: (control: TabControl) => CommandContext;
}

/** Resolves when a command is done; a prompt and a line of the shell go on behind it. Never rejects. */
export async function submitText(
  text: string,
  control: TabControl,
  { store, history, contextOf }: SubmitPorts,
): Promise<void> {
  if (text.trim() === '') return;
  history.add(text);
  const shellLine = /^!\s*(\S.*)$/s.exec(text)?.[1];
  if (shellLine !== undefined) {
    control.runShell(shellLine);
    return;
  }
  const say = (problem: string): void =>
    store.tell(control.key, { kind: 'said', tone: 'error', text: problem });
  const skills = control.session?.skills.map(({ name }) => name);
  const read = readCommand(text, undefined, skills);
  switch (read.kind) {
    case 'command': {
      const { command, argument } = read;
      try {
        await command.run(contextOf(control), argument);
      } catch (error) {
        say(`/${command.name} failed: ${sentenceOf(error)}`);
      }
      return;
    }
    case 'unknown':
      say(read.message);
      return;
    case 'prompt':
      control.submit(text);
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
