// The two tools of the little agent: a shell, and somebody to delegate to.
import { type CallSubject, sayReasons } from '../../src/index.ts';
import type { ScriptedCall } from '../../src/testing/index.ts';
import { contextOf, type MiniAgent, type MiniWorld } from './world.ts';

type Input = ScriptedCall['input'];

export interface ToolEnd {
  readonly output: string;
  readonly failed: boolean;
}

export interface Tool {
  readonly name: 'sh' | 'delegate';
  readonly accepts: (input: Input) => boolean;
  readonly subject: (input: Input) => CallSubject;
}

const takesLine = (input: Input) => typeof input.line === 'string';

export const tools: readonly Tool[] = [
  {
    name: 'sh',
    accepts: takesLine,
    subject: ({ line }) => (typeof line === 'string' ? { kind: 'command', line } : { kind: 'none' }),
  },
  { name: 'delegate', accepts: takesLine, subject: () => ({ kind: 'none' }) },
];

export function runTool(tool: Tool, { line }: Input, agent: MiniAgent, world: MiniWorld): Promise<ToolEnd> {
  return tool.name === 'sh' ? runShell(String(line), world) : delegate(String(line), agent, world);
}

async function runShell(line: string, world: MiniWorld): Promise<ToolEnd> {
  const { end, stdout, stderr } = await world.processes.run({
    argv: ['sh', '-c', line],
    cwd: world.projectRoot,
    environment: world.environment(),
    marker: { name: 'MINI_CALL', value: crypto.randomUUID() },
    input: '',
    deadlineMs: 60_000,
    outputCap: 1024 * 1024,
    signal: world.signal(),
  });
  return { output: stdout + stderr, failed: end.kind !== 'exited' || end.code !== 0 };
}

/** Waits for the subagent, which is simpler than an agent should be. */
async function delegate(task: string, parent: MiniAgent, world: MiniWorld): Promise<ToolEnd> {
  const helper: MiniAgent = { name: 'helper', type: 'helper', told: [task], turn: null };
  const who = { agent_id: helper.name, agent_type: helper.type };
  const start = await world.engine.dispatch('SubagentStart', who, contextOf(parent, world));
  if (start.verdict.kind === 'deny' && !world.has('starts a subagent that was blocked')) {
    return { output: sayReasons(start.verdict.reasons), failed: true };
  }
  const { text } = await world.work(helper);
  const stop = await world.engine.dispatch(
    'SubagentStop',
    { ...who, output: text, stop_hook_active: false, stop_hook_count: 0 },
    contextOf(helper, world),
  );
  return stop.verdict.kind === 'deny' && !world.has('hands over a result that was withheld')
    ? { output: sayReasons(stop.verdict.reasons), failed: true }
    : { output: text, failed: false };
}
