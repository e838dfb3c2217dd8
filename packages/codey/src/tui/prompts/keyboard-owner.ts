// Who has the keyboard when a prompt opens: whoever is typing keeps it until the typing pauses.
import type { Clock } from '../screen/clock.ts';

/** A pause that says the user has seen that something asks. */
export const pauseMs = 600;

export interface KeyboardOwner {
  /** A character went into the composer, or a prompt was just answered. */
  typed(): void;
  /** Whether keys belong to this prompt now; once they do they stay its own. */
  belongsTo(promptKey: number): boolean;
}

/** So no letter of a half-written sentence answers a question nobody has read. `settled` is called when a pause is over. */
export function createKeyboardOwner(clock: Clock, settled: () => void): KeyboardOwner {
  let lastTyped = Number.NEGATIVE_INFINITY;
  let owner: number | undefined;
  let takeBack: (() => void) | undefined;
  return {
    typed() {
      lastTyped = clock.now();
      takeBack?.();
      takeBack = clock.after(pauseMs, settled);
    },
    belongsTo(promptKey) {
      if (owner === promptKey) return true;
      if (clock.now() - lastTyped < pauseMs) return false;
      owner = promptKey;
      return true;
    },
  };
}
