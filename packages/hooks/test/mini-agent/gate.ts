// The gate of the little agent: hooks, rules, permission hooks, a person; then the tool and the hooks after it.
import {
  type Attributed,
  type CallView,
  coverageOf,
  type Decision,
  describeCall,
  type Dispatcher,
  matchRule,
  sayReasons,
} from '../../src/index.ts';
import type { ScriptedCall } from '../../src/testing/index.ts';
import { runTool, type Tool, tools } from './tools.ts';
import { contextOf, emit, type MiniAgent, type MiniWorld } from './world.ts';

/** What the model gets for its call. */
export interface Executed {
  readonly output: string;
  readonly contexts: readonly Attributed[];
  readonly halt?: Attributed;
}

interface Call {
  readonly id: string;
  readonly tool: Tool;
  readonly input: ScriptedCall['input'];
  readonly hooks: Dispatcher;
}

const nothing = (output: string): Executed => ({ output, contexts: [] });

export async function executeCall(
  scripted: ScriptedCall,
  id: string,
  agent: MiniAgent,
  world: MiniWorld,
): Promise<Executed> {
  const tool = tools.find(({ name }) => name === scripted.tool);
  if (tool === undefined || !tool.accepts(scripted.input)) return nothing('There is no such tool or input.');
  const call: Call = { id, tool, input: scripted.input, hooks: world.engine.pin() };
  if (world.has('runs a call before its hooks are asked')) await runTool(tool, call.input, agent, world);
  if (world.has('leaves subagents out of the gate') && agent.name !== 'main') return run(call, agent, world);
  if (world.has('asks no hooks about what was approved before') && world.remembered.has(tool.name)) {
    return run(call, agent, world);
  }
  if (world.has('prompts a person before it asks hooks')) await prompt(call, agent, world);
  if (world.has('tells of calls before they are judged'))
    await emit('tool_start', agent, world, { tool: tool.name });
  const asked = await call.hooks.dispatch(
    'PreToolUse',
    { ...about(call), input_revision: 0 },
    contextOf(agent, world),
  );
  const { verdict } = asked;
  if (verdict.kind === 'cancelled' && !world.has('takes an interrupted gate for a silent one')) {
    return nothing('The call was interrupted.');
  }
  if (verdict.kind === 'deny' && !world.has('runs a call that a hook blocked')) {
    return nothing(world.has('gives the model no reason') ? 'denied' : sayReasons(verdict.reasons));
  }
  const final = world.has('runs the input that a hook replaced')
    ? call
    : { ...call, input: asked.input ?? call.input };
  if (!tool.accepts(final.input) && !world.has('runs a changed input unchecked')) {
    return nothing('A hook changed the input to one that the tool cannot take.');
  }
  const judged = world.has('holds rules against the first input only') ? call : final;
  const executed = await judge(final, await viewOf(judged, world), asked, agent, world);
  const changed = asked.input !== undefined && !world.has('keeps a changed input to itself');
  return {
    ...executed,
    output: changed ? `[ran with ${JSON.stringify(asked.input)}]\n${executed.output}` : executed.output,
    contexts: world.has('drops what hooks add to a call') ? [] : [...asked.contexts, ...executed.contexts],
  };
}

function about({ id, tool, input }: Call) {
  return { tool_name: tool.name, tool_input: input, tool_call_id: id };
}

function viewOf({ tool, input }: Call, { projectRoot }: MiniWorld): Promise<CallView> {
  return describeCall(tool.name, tool.subject(input), { workspace: projectRoot, cwd: projectRoot });
}

/** Deny rules, then what only a person may allow, then what hooks and rules allow; the rest needs permission. */
async function judge(
  call: Call,
  view: CallView,
  asked: Decision,
  agent: MiniAgent,
  world: MiniWorld,
): Promise<Executed> {
  const { allow, ask, deny } = world.rules;
  const allowedByHook = asked.verdict.kind === 'allow';
  const lifted = allowedByHook && world.has('lets a hook lift a deny rule');
  if (!lifted && deny.some(({ rule }) => matchRule(rule, view, 'any') !== 'no')) {
    return refuse(call, 'a rule denies it', agent, world);
  }
  const humanOnly =
    asked.verdict.kind === 'ask' || ask.some(({ rule }) => matchRule(rule, view, 'any') !== 'no');
  const covered =
    allow.length > 0 &&
    coverageOf(
      view,
      allow.map(({ rule }) => rule),
    ).kind === 'whole';
  const free = !humanOnly && (allowedByHook || covered);
  if (free && world.has('requests permission for every call')) await request(call, agent, world);
  return free ? run(call, agent, world) : seekPermission(call, humanOnly, agent, world);
}

function request(call: Call, agent: MiniAgent, world: MiniWorld): Promise<Decision> {
  const reason = `${call.tool.name} needs approval`;
  return call.hooks.dispatch('PermissionRequest', { ...about(call), reason }, contextOf(agent, world));
}

async function seekPermission(
  call: Call,
  humanOnly: boolean,
  agent: MiniAgent,
  world: MiniWorld,
): Promise<Executed> {
  if (world.has('is blocked before its hooks have settled')) {
    await emit('blocked', agent, world, {
      tool: call.tool.name,
      reason: 'approval',
      message: call.tool.name,
    });
  }
  const { verdict } = await request(call, agent, world);
  if (verdict.kind === 'cancelled') return nothing('The call was interrupted.');
  if (verdict.kind === 'deny' && !world.has('runs what a permission hook denies')) {
    return refuse(call, sayReasons(verdict.reasons), agent, world);
  }
  const mayAllow = !humanOnly || world.has('lets hooks answer for a person');
  const settled = (verdict.kind === 'allow' && mayAllow) || verdict.kind === 'deny';
  if (settled && !world.has('prompts a person although a hook allowed it')) return run(call, agent, world);
  if (world.remembered.has(call.tool.name)) return run(call, agent, world);
  if (world.human === undefined) {
    if (world.has('says yes where nobody is there')) return run(call, agent, world);
    return refuse(call, 'it needs approval and nobody is there', agent, world);
  }
  const answer = await prompt(call, agent, world);
  if (answer === 'interrupted') return nothing('The call was interrupted.');
  if (answer === 'deny' && !world.has('runs what a person denies')) {
    return refuse(call, 'the user denied it', agent, world);
  }
  if (answer === 'remember') world.remembered.add(call.tool.name);
  return run(call, agent, world);
}

async function prompt(call: Call, agent: MiniAgent, world: MiniWorld) {
  const { human } = world;
  const signal = world.signal();
  if (human === undefined || signal.aborted) return 'interrupted';
  const { name: tool } = call.tool;
  // The interrupt is listened to first: a yes that comes with it counts for nothing.
  const answering = Promise.race([interrupted(signal), human({ tool, signal })]);
  const message = `${tool}: ${String(call.input.line)}`;
  const told = world.has('is blocked before its hooks have settled')
    ? undefined
    : emit('blocked', agent, world, { tool, reason: 'approval', message });
  const notified = world.engine.dispatch(
    'Notification',
    { notification_type: 'permission_prompt', tool_name: tool, reason: message },
    contextOf(agent, world),
  );
  const answer = await answering;
  await Promise.all([told, notified]);
  const endings = {
    allow: 'approved',
    remember: 'approved',
    deny: 'denied',
    interrupted: 'interrupted',
  } as const;
  const silent =
    (answer === 'deny' && world.has('does not say that a prompt was denied')) ||
    (answer === 'interrupted' && world.has('leaves its prompt open when interrupted'));
  if (!silent) await emit('unblocked', agent, world, { tool, reason: endings[answer] });
  return answer;
}

function interrupted(signal: AbortSignal): Promise<'interrupted'> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
}

async function refuse(call: Call, reason: string, agent: MiniAgent, world: MiniWorld): Promise<Executed> {
  await call.hooks.dispatch('PermissionDenied', { ...about(call), reason }, contextOf(agent, world));
  return nothing(`Denied: ${reason}`);
}

async function run(call: Call, agent: MiniAgent, world: MiniWorld): Promise<Executed> {
  const { tool, hooks } = call;
  await emit('tool_start', agent, world, { tool: tool.name });
  const { output, failed } = await runTool(tool, call.input, agent, world);
  const error = world.has('publishes what tools print') ? output : failed ? 'failed' : '';
  await emit('tool_result', agent, world, { tool: tool.name, error });
  const context = contextOf(agent, world);
  const tellFailure = () => hooks.dispatch('PostToolUseFailure', { ...about(call), error: output }, context);
  const last = world.has('tells of a failure last');
  if (failed && !last) await tellFailure();
  const result = world.has('shows hooks no results') ? '' : output;
  const after = await hooks.dispatch('PostToolUse', { ...about(call), result, failed }, context);
  if (failed && last) await tellFailure();
  const objections = after.verdict.kind === 'deny' ? [sayReasons(after.verdict.reasons)] : [];
  const lost = objections.length > 0 && world.has('loses a result that a hook objects to');
  const replaced = world.has('shows the model what a hook replaced')
    ? undefined
    : after.updatedToolOutput?.text;
  return {
    output: [...(lost ? [] : [replaced ?? output]), ...objections].join('\n'),
    contexts: after.contexts,
    ...(after.halt && !world.has('goes on after a halt') && { halt: after.halt }),
  };
}
