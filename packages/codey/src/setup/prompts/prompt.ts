// What a question on the terminal is: lines to draw, and a value that changes with each key until it is answered.

/** A key as a terminal sends it: its name, or the text that it types. */
export type Key =
  | {
      readonly kind:
        | 'up'
        | 'down'
        | 'left'
        | 'right'
        | 'home'
        | 'end'
        | 'enter'
        | 'backspace'
        | 'delete'
        | 'clear';
    }
  | { readonly kind: 'text'; readonly text: string };

export interface Prompt<State, Answer> {
  readonly first: State;
  /** What its own keys do, for the line under it. */
  readonly keys: string;
  /** Lines without line ends, each at most `width` columns wide. */
  draw(state: State, width: number): readonly string[];
  press(state: State, key: Key): Pressed<State, Answer>;
  /** The one line that stays on the screen. */
  answered(answer: Answer): string;
}

export type Pressed<State, Answer> =
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The person wants the question before this one. */
  | { readonly kind: 'back' };

/**
 * Asks one question and waits for its answer. Rejects with SetupCancelled when the person leaves instead, with SetupBack
 * when they go back to the question before.
 */
export type Ask = <State, Answer>(prompt: Prompt<State, Answer>) => Promise<Answer>;

/** Ctrl-C, Ctrl-D, Esc at the first question, or a terminal that went away. */
export class SetupCancelled extends Error {
  constructor() {
    super('setup was left before its end');
    this.name = 'SetupCancelled';
  }
}

/** Esc at any question but the first. */
export class SetupBack extends Error {
  constructor() {
    super('the question before is wanted');
    this.name = 'SetupBack';
  }
}
