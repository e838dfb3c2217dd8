// The tools one agent has, by the names a model knows them by.
import { toJsonSchema } from '@valibot/to-json-schema';
import type { ToolDeclaration } from '../model/model.ts';
import type { Tool } from './tool.ts';
import { suggest } from '@codey/hooks';

export interface ToolRegistry {
  get(name: string): Tool | undefined;
  list(): readonly Tool[];
  /** What a model is told, in the order of the list; the same array each time. */
  declarations(): readonly ToolDeclaration[];
  /** A message for a model that called a tool there is none of. */
  explainUnknown(name: string): string;
}

/** Throws where two tools have one name. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) {
    const twice = tools.find((tool) => byName.get(tool.name) !== tool);
    throw new Error(`Two tools are named ${twice?.name}.`);
  }
  const declarations = tools.map((tool) => ({
    name: tool.name,
    description: tool.description.trim(),
    // Made when it is read: a scripted model never does.
    get inputSchema() {
      return inputJsonSchema(tool);
    },
  }));
  return {
    get: (name) => byName.get(name),
    list: () => tools,
    declarations: () => declarations,
    explainUnknown(name) {
      const likely = suggest(name, byName.keys());
      const help =
        likely === undefined ? `There are: ${[...byName.keys()].join(', ')}.` : `Did you mean ${likely}?`;
      return `There is no tool ${name}. ${help}`;
    },
  };
}

/** Whether a call may run beside others of its kind: it changes nothing and opens no prompt. */
export function runsSideBySide(tool: Tool): boolean {
  return tool.access === 'read' || tool.access === 'network';
}

/** JSON Schema (draft 7) of a tool's input; the same object each time. */
export function inputJsonSchema(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.inputSchema !== undefined) return tool.inputSchema;
  const made = schemas.get(tool) ?? withoutDialect(toJsonSchema(tool.input, { typeMode: 'input' }));
  schemas.set(tool, made);
  return made;
}

const schemas = new WeakMap<Tool, Readonly<Record<string, unknown>>>();

/** Providers take the dialect for granted, and some refuse the key. */
function withoutDialect({
  $schema: _dialect,
  ...schema
}: object & { $schema?: unknown }): Readonly<Record<string, unknown>> {
  return schema;
}
