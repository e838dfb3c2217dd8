// How a rehearsal speaks: lines on stdout, safe for a terminal whoever wrote them.
import type { World } from '../../start/world.ts';
import { sanitise } from '../../terminal/sanitise.ts';

export function say({ stdout }: Pick<World, 'stdout'>, text: string): void {
  stdout.write(`${sanitise(text)}\n`);
}
