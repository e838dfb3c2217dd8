// Which tools an agent has: its parent's, with those that speak for one agent made anew, and never one more.
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * @param own tools that act in the name of the agent they were made for; they take the place of the parent's
 * @param allowed the only ones it may have, where its definition says
 */
export function toolsOf(
  parent: ToolRegistry,
  own: readonly Tool[],
  allowed: readonly string[] | undefined,
): ToolRegistry {
  const made = new Map(own.map((tool) => [tool.name, tool]));
  const kept = parent.list().filter(({ name }) => allowed === undefined || allowed.includes(name));
  return createToolRegistry(kept.map((tool) => made.get(tool.name) ?? tool));
}
