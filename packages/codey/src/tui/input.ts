// Where a key goes: to the screen's own actions, the open panel, the prompt that has the keyboard, else the composer.
import type { Actions } from './actions.ts';
import { actionOf } from './keys.ts';
import type { CallEditors } from './prompts/call-editor.ts';
import type { KeyboardOwner } from './prompts/keyboard-owner.ts';
import { promptKey } from './prompts/prompt-key.ts';
import { type Key, keyName, readKey } from './screen/keys.ts';
import type { OpenPrompt } from './state/prompt.ts';
import type { Store } from './state/store.ts';
import type { TabSet } from './tabs/tab-set.ts';

export interface Input {
  /** Raw input of the terminal. */
  read(data: string): void;
  /** The prompt that has the keyboard, if one has. */
  promptBefore(): OpenPrompt | undefined;
  /** Whether the composer has it beside an open prompt. */
  composerOwns(): boolean;
}

export interface InputPorts {
  readonly store: Store;
  readonly tabSet: TabSet;
  readonly keyboard: KeyboardOwner;
  readonly editors: CallEditors;
  readonly actions: Actions;
}

export function createInput({ store, tabSet, keyboard, editors, actions }: InputPorts): Input {
  function ownerFor(prompt: OpenPrompt): 'prompt' | 'composer' {
    return keyboard.ownerFor(prompt.key, tabSet.active?.composer.text() === '' ? 'empty' : 'begun');
  }

  function promptBefore(): OpenPrompt | undefined {
    const prompt = store.active?.prompts[0];
    if (prompt === undefined || store.panel !== undefined) return undefined;
    return ownerFor(prompt) === 'prompt' ? prompt : undefined;
  }

  function composerOwns(): boolean {
    const prompt = store.active?.prompts[0];
    return prompt === undefined || ownerFor(prompt) === 'composer';
  }

  function toPanel(key: Key | undefined): void {
    const shown = store.panel;
    if (key === undefined || shown?.key(key) !== 'closed') return;
    // A choice may have opened another panel already.
    if (store.panel === shown) store.open(undefined);
  }

  function toPrompt(prompt: OpenPrompt, key: Key | undefined, data: string): void {
    const editor = editors.of(prompt);
    const isEscape = key?.kind === 'named' && key.name === 'escape';
    if (editor !== undefined && !isEscape) {
      editor.input(data);
      return;
    }
    const step = key === undefined ? undefined : promptKey(prompt, key);
    if (step?.kind === 'changed') {
      store.tell(store.tabs.active, { kind: 'prompt-changed', prompt: step.prompt });
    } else if (step?.kind === 'answered') {
      keyboard.answered(data);
      tabSet.active?.control.answer(prompt.key, step.answer);
    } else if (isEscape) {
      tabSet.active?.control.stopAsker(prompt);
    }
  }

  function toComposer(key: Key | undefined, data: string): void {
    const tab = tabSet.active;
    if (tab === undefined) return;
    const { composer, control } = tab;
    const name = key === undefined ? '' : keyName(key);
    const asked = store.active?.prompts.length !== 0;
    keyboard.typed();
    if (name === 'escape' && !composer.menuOpen && control.interrupt()) return;
    if (name === 'ctrl+d' && composer.text() === '') {
      actions.act({ kind: 'close-tab' });
      return;
    }
    // While a prompt has just opened nobody knows which of the two Enter was meant for.
    if (name === 'enter' && asked) return;
    composer.input(data);
  }

  return {
    promptBefore,
    composerOwns,
    read(data) {
      if (keyboard.isHeld(data)) return;
      const key = readKey(data);
      const prompt = promptBefore();
      const action = key?.kind === 'named' ? actionOf(key.name) : undefined;
      if (action?.kind !== 'leave-or-stop') actions.otherKey();
      // In a prompt of several questions Shift+Tab goes back to the one before.
      if (action !== undefined && (prompt === undefined || action.kind !== 'next-mode')) actions.act(action);
      else if (store.panel !== undefined) toPanel(key);
      else if (prompt !== undefined) toPrompt(prompt, key, data);
      else if (composerOwns()) toComposer(key, data);
    },
  };
}
