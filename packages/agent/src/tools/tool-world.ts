// A real workspace for tests of tools: a directory, a process host and whatever else a call needs.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createProcessHost } from '@codey/hooks';
import type * as v from 'valibot';
import { createBackgroundCommands } from './background.ts';
import { createTodoList } from './todo-list.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { validateInput } from './validate.ts';

export interface ToolWorld {
  /** The workspace; `outside` stands beside it. Both real paths. */
  readonly workspace: string;
  readonly outside: string;
  readonly context: ToolContext;
  /** Writes files below the workspace, making directories. */
  files(contents: Readonly<Record<string, string | Buffer>>): Promise<void>;
  path(...names: readonly string[]): string;
  /** Validates and runs; an input that is not valid is a mistake of the test. */
  call<Schema extends v.GenericSchema>(
    tool: Tool<Schema>,
    input: unknown,
    context?: Partial<ToolContext>,
  ): Promise<ToolResult>;
  /** Ends what still runs and removes the directory. */
  dispose(): Promise<void>;
}

export async function createToolWorld(): Promise<ToolWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tools-')));
  const workspace = join(root, 'work');
  const outside = join(root, 'outside');
  await mkdir(workspace);
  await mkdir(outside);
  const processes = createProcessHost();
  const context: ToolContext = {
    workspace,
    cwd: workspace,
    extraDirs: [],
    signal: new AbortController().signal,
    processes,
    environment: { ...process.env } as Record<string, string>,
    report: () => {},
    background: createBackgroundCommands({ processes }),
    todos: createTodoList(),
    refusal: () => undefined,
    privateNetwork: false,
  };
  const path = (...names: readonly string[]) => join(workspace, ...names);
  return {
    workspace,
    outside,
    context,
    path,
    async files(contents) {
      for (const [name, content] of Object.entries(contents)) {
        await mkdir(dirname(path(name)), { recursive: true });
        await writeFile(path(name), content);
      }
    },
    async call(tool, input, changes = {}) {
      const validated = validateInput(tool, input);
      if (!validated.ok) throw new Error(validated.message);
      return tool.run(validated.value, { ...context, ...changes });
    },
    async dispose() {
      await context.background.close();
      await processes.settle(10_000);
      await rm(root, { recursive: true, force: true });
    },
  };
}
