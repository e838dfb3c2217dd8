// Collects what is wrong with one settings file, each finding with its place.
import type { Node, Place } from './document.ts';
import type { Source } from './hook.ts';
import { printable } from './printable.ts';
import type { Problem } from './problem.ts';

export type Area = Problem['area'];

/** Where the entries of a file come from: a `Source` that has no line yet. */
export type Origin = Omit<Source, 'line' | 'column'>;

export class Findings {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #origin: Origin;
  readonly #place: (offset: number) => Place;

  constructor(origin: Origin, place: (offset: number) => Place) {
    this.#origin = origin;
    this.#place = place;
  }

  /** Something that refuses the start. */
  problem(area: Area, at: Pick<Node, 'offset'>, message: string, hint?: string): void {
    this.problems.push(this.#finding(area, at, message, hint));
  }

  /** Something to be told once that changes nothing. */
  warning(area: Area, at: Pick<Node, 'offset'>, message: string, hint?: string): void {
    this.warnings.push(this.#finding(area, at, message, hint));
  }

  source(at: Pick<Node, 'offset'>): Source {
    return { ...this.#origin, ...this.#place(at.offset) };
  }

  place(at: Pick<Node, 'offset'>): Place {
    return this.#place(at.offset);
  }

  #finding(area: Area, at: Pick<Node, 'offset'>, message: string, hint: string | undefined): Problem {
    const { file, scope } = this.#origin;
    const finding = { file, ...this.#place(at.offset), scope, message: printable(message), area };
    return hint === undefined ? finding : { ...finding, hint: printable(hint) };
  }
}

/** In the order in which somebody meets them reading the file. */
export function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
}
