// `/permissions`: what the agent may do without asking.
import type { PermissionMode } from '@codey/hooks';
import { modeWords } from '../widgets/footer.ts';
import type { Command } from './command.ts';

export const modes = Object.keys(modeWords) as readonly PermissionMode[];

export const permissions: Command = {
  name: 'permissions',
  onScreen: true,
  summary: 'choose what the agent may do without asking',
  argument: '[mode]',
  complete: () => modes.map((mode) => ({ value: mode, label: mode, detail: modeWords[mode] })),
  async run({ session, choose, say, refresh }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const current = session.facts().mode;
    const chosen =
      argument !== ''
        ? argument
        : await choose(
            'Permission mode · deny and ask rules, hooks and protected files hold in every one',
            modes.map((mode) => ({
              value: mode,
              label: mode,
              detail: `${modeWords[mode]}${mode === current ? ' · in force' : ''}`,
            })),
            '',
          );
    if (chosen === undefined) return;
    const mode = modes.find((each) => each === chosen);
    if (mode === undefined)
      return say('error', `There is no mode ${chosen}. The modes are ${modes.join(', ')}.`);
    session.useMode(mode);
    refresh();
  },
};
