// What `--json` prints: one value, indented for people and stable for programs.
import type { World } from '../start/world.ts';
import { printableJson } from '../terminal/printable-json.ts';

export function writeJson(value: unknown, { stdout }: Pick<World, 'stdout'>): void {
  stdout.write(`${printableJson(value, 2)}\n`);
}
