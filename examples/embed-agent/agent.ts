// A whole agent in forty lines whose hooks come from @codey/hooks: a model, one tool, and a gate in front of it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createToolGate, openHooks } from '@codey/hooks';

/** Whatever answers: a text ends the run, a call is made and its result told. */
export type Model = (told: readonly string[]) => Promise<{ text: string } | { command: string }>;

export interface AgentOptions {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly model: Model;
  readonly notify: (sentence: string) => void;
}

const shell = promisify(execFile);

/** Gives the final answer, or the reason of the hook that ended the run. */
export async function runAgent(prompt: string, options: AgentOptions): Promise<string> {
  const { projectRoot, environment, model, notify } = options;
  const home = environment.HOME;
  const hooks = await openHooks({ projectRoot, environment, notify, ...(home && { home }) });
  try {
    const gate = createToolGate(hooks);
    const told = [prompt];
    for (;;) {
      const answer = await model(told);
      if ('text' in answer) return answer.text;
      const result = await gate.call({ tool: 'shell', input: { command: answer.command } }, async (input) => {
        const { stdout } = await shell('/bin/sh', ['-c', String(input.command)], { cwd: projectRoot });
        return stdout;
      });
      if (result.halt !== undefined) return result.halt;
      if (result.kind === 'refused') told.push(`refused: ${result.reason}`);
      else if (result.kind === 'failed') told.push(`failed: ${String(result.error)}`, ...result.remarks);
      else told.push(result.replacement ?? result.output, ...result.remarks);
    }
  } finally {
    await hooks.close();
  }
}
