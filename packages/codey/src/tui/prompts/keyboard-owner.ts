// Who has the keyboard when a prompt opens: the prompt, unless somebody is in the middle of a sentence.
import type { Clock } from '../screen/clock.ts';

/** A pause in writing that says the writer has seen that something asks. */
export const writingPauseMs = 600;
/** A key that comes again sooner is still being held. */
export const heldMs = 300;

export interface KeyboardOwner {
  /** A key went into the composer. */
  typed(): void;
  /** A prompt was answered with this key. */
  answered(data: string): void;
  /** Whether the key that answered a prompt is still being held: it must not answer the next one as well. */
  isHeld(data: string): boolean;
  /** Once the keyboard belongs to a prompt it stays its own. */
  ownerFor(promptKey: number, draft: 'empty' | 'begun'): 'prompt' | 'composer';
}

/** No letter of a half-written sentence answers a question nobody has read. `settled` is called when a pause is over. */
export function createKeyboardOwner(clock: Clock, settled: () => void): KeyboardOwner {
  let lastTyped = Number.NEGATIVE_INFINITY;
  let owner: number | undefined;
  let held: { readonly data: string; readonly at: number } | undefined;
  let takeBack: (() => void) | undefined;
  return {
    typed() {
      lastTyped = clock.now();
      takeBack?.();
      takeBack = clock.after(writingPauseMs, settled);
    },
    answered(data) {
      held = { data, at: clock.now() };
    },
    isHeld(data) {
      const now = clock.now();
      if (held?.data !== data || now - held.at > heldMs) {
        held = undefined;
        return false;
      }
      held = { data, at: now };
      return true;
    },
    ownerFor(promptKey, draft) {
      if (owner === promptKey) return 'prompt';
      if (draft === 'begun' && clock.now() - lastTyped < writingPauseMs) return 'composer';
      owner = promptKey;
      return 'prompt';
    },
  };
}
