// What takes the place of the transcript for a while: a list to choose from, the hooks.
import type { Key } from '../screen/keys.ts';
import type { Size } from '../screen/screen.ts';

export interface Panel {
  /** Exactly as many as there are rows. */
  lines(size: Size): readonly string[];
  /** `closed` when the panel is done; undefined for a key it has no use for. */
  key(key: Key): 'closed' | 'stays' | undefined;
  /** Told when it is gone, by its own key or because the user went elsewhere. */
  closed?(): void;
}

/** Makes lines exactly as many as there are rows. */
export function fillRows(lines: readonly string[], rows: number): readonly string[] {
  return Array.from({ length: rows }, (_, row) => lines[row] ?? '');
}
