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
  /** Lines without line ends, each at most `width` columns wide. */
  draw(state: State, width: number): readonly string[];
  press(state: State, key: Key): Pressed<State, Answer>;
  /** The one line that stays on the screen. */
  answered(answer: Answer): string;
}

export type Pressed<State, Answer> =
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** Asks one question and waits for its answer. Rejects with SetupCancelled when the person leaves instead. */
export type Ask = <State, Answer>(prompt: Prompt<State, Answer>) => Promise<Answer>;

/** Ctrl-C, Ctrl-D, or a terminal that went away. */
export class SetupCancelled extends Error {
  constructor() {
    super('setup was left before its end');
    this.name = 'SetupCancelled';
  }
}
