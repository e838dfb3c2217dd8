// Text styles in the terminal's own sixteen colours, so that light and dark themes both stay the user's.

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly strike: Paint;
  readonly inverse: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly magenta: Paint;
}

/** Without colour, weight and reversal stay: they are not what NO_COLOR asks to leave out. */
export function createStyle(colour: boolean): Style {
  const hue = (code: number): Paint => (colour ? between(code, 39) : plain);
  return {
    bold: between(1, 22),
    dim: between(2, 22),
    italic: between(3, 23),
    underline: between(4, 24),
    strike: between(9, 29),
    inverse: between(7, 27),
    red: hue(31),
    green: hue(32),
    yellow: hue(33),
    cyan: hue(36),
    magenta: hue(35),
  };
}

/** No styles at all: for a terminal that would print their codes. */
export const plainStyle: Style = {
  bold: plain,
  dim: plain,
  italic: plain,
  underline: plain,
  strike: plain,
  inverse: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
  magenta: plain,
};

export function wantsColour(environment: Readonly<Record<string, string | undefined>>): boolean {
  return (environment.NO_COLOR ?? '') === '';
}

function between(on: number, off: number): Paint {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}

function plain(text: string): string {
  return text;
}
