// The last row: the permission mode, how full the context is, and the keys that matter now.
import type { PermissionMode } from '@codey/hooks';
import type { Style } from '../screen/style.ts';
import { ends } from '../screen/text.ts';
import type { Tab } from '../state/tab.ts';
import { sayCount } from './duration.ts';

export const modeWords: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before it changes anything',
  acceptEdits: 'edits files without asking',
  plan: 'plan: only reads',
  dontAsk: 'never asks, denies instead',
  bypassPermissions: 'BYPASS: runs everything',
};

export function footer(
  tab: Tab | undefined,
  message: string | undefined,
  width: number,
  style: Style,
): string {
  const mode = tab?.facts?.mode ?? 'default';
  const words = modeWords[mode];
  const left =
    message === undefined ? paintMode(mode, ` ${words}`, style) : style.bold(style.yellow(` ${message}`));
  return ends(left, style.dim(`${contextPart(tab)}/help `), width);
}

function paintMode(mode: PermissionMode, words: string, style: Style): string {
  if (mode === 'bypassPermissions') return style.bold(style.red(words));
  return mode === 'default' ? style.dim(words) : style.yellow(words);
}

/** A share where the model's window is known, else the tokens themselves. */
function contextPart(tab: Tab | undefined): string {
  if (tab === undefined || tab.tokens.lastInput === 0) return '';
  const { lastInput } = tab.tokens;
  const window = tab.facts?.contextWindow;
  const told =
    window === undefined
      ? `${sayCount(lastInput)} tokens`
      : `${Math.round((lastInput / window) * 100)}% of context`;
  return `${told} · `;
}
