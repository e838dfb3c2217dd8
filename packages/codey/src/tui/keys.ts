// The keys of the screen itself, before the composer or a prompt sees them. One table: help shows what the program does.

export type Action =
  | { readonly kind: 'new-tab' }
  | { readonly kind: 'close-tab' }
  | { readonly kind: 'next-tab'; readonly step: -1 | 1 }
  | { readonly kind: 'to-tab'; readonly number: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'next-mode' }
  | { readonly kind: 'unfold' }
  | { readonly kind: 'history' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'leave-or-stop' };

interface Binding {
  readonly keys: readonly string[];
  /** As help writes it. */
  readonly shown: string;
  readonly does: string;
  readonly action: (name: string) => Action;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

const bindings: readonly Binding[] = [
  { keys: ['ctrl+t'], shown: 'Ctrl+T', does: 'new tab', action: () => ({ kind: 'new-tab' }) },
  { keys: ['alt+w'], shown: 'Alt+W', does: 'close the tab', action: () => ({ kind: 'close-tab' }) },
  {
    keys: digits.map((digit) => `alt+${digit}`),
    shown: 'Alt+1 … Alt+9',
    does: 'go to that tab',
    action: (name) => ({ kind: 'to-tab', number: Number(name.slice(-1)) }),
  },
  {
    keys: ['ctrl+pageDown', 'alt+n'],
    shown: 'Ctrl+PgDn, Alt+N',
    does: 'next tab',
    action: () => ({ kind: 'next-tab', step: 1 }),
  },
  {
    keys: ['ctrl+pageUp', 'alt+p'],
    shown: 'Ctrl+PgUp, Alt+P',
    does: 'previous tab',
    action: () => ({ kind: 'next-tab', step: -1 }),
  },
  {
    keys: ['ctrl+p'],
    shown: 'Ctrl+P',
    does: 'pause the agent, let it go on',
    action: () => ({ kind: 'pause' }),
  },
  {
    keys: ['shift+tab'],
    shown: 'Shift+Tab',
    does: 'next permission mode',
    action: () => ({ kind: 'next-mode' }),
  },
  {
    keys: ['ctrl+o'],
    shown: 'Ctrl+O',
    does: 'unfold everything, fold it; a click does one block',
    action: () => ({ kind: 'unfold' }),
  },
  { keys: ['ctrl+r'], shown: 'Ctrl+R', does: 'find an earlier prompt', action: () => ({ kind: 'history' }) },
  { keys: ['ctrl+l'], shown: 'Ctrl+L', does: 'draw the screen again', action: () => ({ kind: 'redraw' }) },
  {
    keys: ['ctrl+z'],
    shown: 'Ctrl+Z',
    does: 'back to the shell, fg returns',
    action: () => ({ kind: 'suspend' }),
  },
  {
    keys: ['ctrl+c'],
    shown: 'Ctrl+C',
    does: 'empty the prompt, stop the run; twice leaves',
    action: () => ({ kind: 'leave-or-stop' }),
  },
];

/** Undefined for a key that is none of the screen's own. */
export function actionOf(name: string): Action | undefined {
  return bindings.find(({ keys }) => keys.includes(name))?.action(name);
}

/** For help; the last ones belong to the editor and the renderer. */
export const keyHelp: readonly (readonly [string, string])[] = [
  ...bindings.map(({ shown, does }) => [shown, does] as const),
  ['Esc', 'stop the run, end the agent that asks, close what is open'],
  ['Shift+Enter, Ctrl+J', 'new line'],
  ['↑ ↓', 'earlier prompts, where the cursor has nowhere to go'],
  ['PgUp, PgDn, wheel', 'scroll'],
  ['Ctrl+↑, Ctrl+↓', 'previous and next prompt of the conversation'],
  ['Ctrl+End', 'back to the end'],
  ['Ctrl+F', 'find in the conversation; Enter and Shift+Enter go through it'],
  ['drag', 'copies what is marked'],
];
