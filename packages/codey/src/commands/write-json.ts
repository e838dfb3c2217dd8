// What `--json` prints: one value, indented for people and stable for programs.
import type { World } from '../start/world.ts';

export function writeJson(value: unknown, { stdout }: Pick<World, 'stdout'>): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
