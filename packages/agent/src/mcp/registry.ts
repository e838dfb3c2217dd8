// The agent's own tools with those of servers behind them, which come and go in the middle of a session.
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';

/** Made anew only when the tools of servers are others. A server cannot take the place of a tool of ours. */
export function withServerTools(own: ToolRegistry, served: () => readonly Tool[]): ToolRegistry {
  let of: readonly Tool[] | undefined;
  let whole = own;
  const current = (): ToolRegistry => {
    const now = served();
    if (now !== of) {
      const added = now.filter(({ name }) => own.get(name) === undefined);
      whole = added.length === 0 ? own : createToolRegistry([...own.list(), ...added]);
      of = now;
    }
    return whole;
  };
  return {
    get: (name) => current().get(name),
    list: () => current().list(),
    declarations: () => current().declarations(),
    explainUnknown: (name) => current().explainUnknown(name),
  };
}
