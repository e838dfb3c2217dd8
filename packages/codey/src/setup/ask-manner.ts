// How much codey may do without asking, and what it looks like.
import type { PermissionMode, Settings } from '@codey/hooks';
import { type Answer, setting } from './answer.ts';
import type { Ask } from './prompts/prompt.ts';
import { select } from './prompts/select.ts';

const modes: Readonly<Record<PermissionMode, string>> = {
  default: 'reads freely, asks before anything else',
  acceptEdits: 'edits files of the project without asking',
  plan: 'only reads',
  dontAsk: 'does what is allowed, refuses the rest',
  bypassPermissions: 'asks nothing; your deny and ask rules hold',
};

export async function askMode({ permissions }: Pick<Settings, 'permissions'>, ask: Ask): Promise<Answer> {
  const mode = await ask(
    select({
      question: 'What may tools do?',
      rows: (Object.keys(modes) as PermissionMode[]).map((value) => ({
        value,
        label: value,
        hint: modes[value],
      })),
      marked: permissions.mode,
    }),
  );
  return setting(['permissions', 'mode'], mode);
}

/** The screen uses the terminal's own sixteen colours, or none. */
export const themes = [
  { value: 'terminal', label: 'the colours of your terminal' },
  { value: 'plain', label: 'no colours' },
] as const;

export async function askTheme({ theme }: Pick<Settings, 'theme'>, ask: Ask): Promise<Answer> {
  const chosen = await ask<number, string>(
    select<string>({
      question: 'What should it look like?',
      rows: themes,
      ...(theme !== undefined && { marked: theme }),
    }),
  );
  return setting(['theme'], chosen);
}
