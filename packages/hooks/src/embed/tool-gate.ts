// One tool call from question to result, for agents that have no gate of their own.
import { randomUUID } from 'node:crypto';
import { describeCall } from '../condition/call.ts';
import { matchRule } from '../condition/match.ts';
import type { PlacedRule } from '../config/settings.ts';
import { type Attributed, type Decision, sayReasons } from '../policy/decision.ts';
import type { DispatchContext } from '../policy/dispatch.ts';
import type { Dispatcher } from '../policy/engine.ts';
import { sourceLabel } from '../policy/label.ts';
import type { EnginePorts } from '../policy/ports.ts';
import { quietContext } from '../policy/quiet-context.ts';
import { guessSubject } from './guess-subject.ts';
import type { OpenedHooks } from './open-hooks.ts';

/** The arguments of a call by name. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** One call the model wants to make. */
export interface ToolCall {
  readonly tool: string;
  readonly input: ToolInput;
  /** The model's id of the call; a new one if not given. */
  readonly id?: string;
  /** Interrupts the hooks that are asked about it; the call then does not run. */
  readonly signal?: AbortSignal;
  /** Why the tool cannot take an input that a hook put in place of the model's; undefined where it can. */
  readonly refuse?: (input: ToolInput) => Promise<string | undefined> | string | undefined;
}

/** Beside the result: what hooks have to say about it. */
interface AfterCall {
  /** Texts for the model, each with the hook it came from. */
  readonly remarks: readonly string[];
  /** A hook ends the run; the text is for the user. */
  readonly halt?: string;
}

/** What became of one call. A refusal and an error of the tool are values. */
export type GatedResult<Output> =
  /** It did not run; the reason is for the model. */
  | { readonly kind: 'refused'; readonly reason: string; readonly halt?: string }
  | (AfterCall & {
      readonly kind: 'ran';
      readonly output: Output;
      /** What the model shall see in place of the output. */
      readonly replacement?: string;
    })
  /** The tool threw. */
  | (AfterCall & { readonly kind: 'failed'; readonly error: unknown });

/** The one way to a tool. */
export interface ToolGate {
  /** Asks, and runs the tool with the input all agreed to. Rejects for nothing that a hook or the tool does. */
  call<Output>(call: ToolCall, execute: (input: ToolInput) => Promise<Output>): Promise<GatedResult<Output>>;
}

/** What the gate cannot know by itself. */
export interface ToolGateOptions {
  /** Answers for a hook or rule that asks; where it is absent nobody can, and the call is refused. */
  readonly approve?: (call: ToolCall, reason: string) => Promise<boolean>;
  /** What of a call rules look at; as for the engine. */
  readonly subjectOf?: EnginePorts['subjectOf'];
  /** What payloads say about the moment. */
  readonly context?: () => Partial<DispatchContext>;
}

/**
 * PreToolUse, then the `deny` and `ask` rules of the settings, then the tool, then PostToolUseFailure and PostToolUse. A
 * call is judged from start to end by the hooks in force when it began.
 */
export function createToolGate(hooks: OpenedHooks, options: ToolGateOptions = {}): ToolGate {
  const { permissions } = hooks.settings;
  const { subjectOf = guessSubject } = options;

  async function judge(call: ToolCall, decision: Decision): Promise<string | undefined> {
    const { verdict } = decision;
    if (verdict.kind === 'cancelled') return 'the call was interrupted';
    if (verdict.kind === 'deny') return sayReasons(verdict.reasons);
    if (decision.halt !== undefined) return decision.halt.text;
    const mistake = decision.input === undefined ? undefined : await call.refuse?.(call.input);
    if (mistake !== undefined)
      return `a hook changed the input to one that ${call.tool} cannot take: ${mistake}`;
    const view = await describeCall(call.tool, subjectOf(call.tool, call.input), {
      workspace: hooks.projectRoot,
      cwd: hooks.projectRoot,
    });
    const ruleThatFits = (rules: readonly PlacedRule[]) =>
      rules.find(({ rule }) => matchRule(rule, view, 'any') !== 'no');
    const denied = ruleThatFits(permissions.deny);
    if (denied !== undefined) return `a rule denies it, ${sourceLabel(denied.source)}`;
    const asking = ruleThatFits(permissions.ask);
    const why = [
      ...(verdict.kind === 'ask' ? [sayReasons(verdict.reasons)] : []),
      ...(asking === undefined ? [] : [`a rule asks for a person, ${sourceLabel(asking.source)}`]),
    ].join('\n');
    if (why === '') return undefined;
    if (options.approve === undefined) return `nobody is there to answer: ${why}`;
    return (await options.approve(call, why)) ? undefined : `the user denied it: ${why}`;
  }

  return {
    async call(given, execute) {
      const call = { ...given, id: given.id ?? randomUUID() };
      const pinned = hooks.engine.pin();
      const context = contextOf(call, hooks, options);
      const asked = await pinned.dispatch('PreToolUse', { ...about(call), input_revision: 0 }, context);
      const final = { ...call, input: asked.input ?? call.input };
      const refused = await judge(final, asked);
      if (refused !== undefined) {
        if (isDenial(asked))
          await pinned.dispatch('PermissionDenied', { ...about(final), reason: refused }, context);
        return { kind: 'refused', reason: refused, ...haltOf(asked) };
      }
      return runTool(final, execute, asked, { pinned, context });
    },
  };
}

async function runTool<Output>(
  call: ToolCall & { readonly id: string },
  execute: (input: ToolInput) => Promise<Output>,
  asked: Decision,
  { pinned, context }: { readonly pinned: Dispatcher; readonly context: DispatchContext },
): Promise<GatedResult<Output>> {
  const ending = await execute(call.input).then(
    (output) => ({ kind: 'ran', output }) as const,
    (error: unknown) => ({ kind: 'failed', error }) as const,
  );
  const result = ending.kind === 'ran' ? asText(ending.output) : sayError(ending.error);
  const failed = ending.kind === 'failed';
  const decisions = [
    asked,
    ...(failed
      ? [await pinned.dispatch('PostToolUseFailure', { ...about(call), error: result }, context)]
      : []),
    await pinned.dispatch('PostToolUse', { ...about(call), result, failed }, context),
  ];
  const halt = decisions.map(haltOf).find(({ halt }) => halt !== undefined) ?? {};
  const after: AfterCall = { remarks: [...changedInput(asked), ...decisions.flatMap(remarksOf)], ...halt };
  if (ending.kind === 'failed') return { ...ending, ...after };
  const replacement = decisions.at(-1)?.updatedToolOutput?.text;
  return { ...ending, ...after, ...(replacement !== undefined && { replacement }) };
}

function about(call: ToolCall & { readonly id: string }) {
  return { tool_name: call.tool, tool_input: call.input, tool_call_id: call.id };
}

function contextOf(
  call: ToolCall & { readonly id: string },
  { projectRoot }: OpenedHooks,
  { context }: ToolGateOptions,
): DispatchContext {
  return {
    ...quietContext(projectRoot),
    ...context?.(),
    call: call.id,
    ...(call.signal !== undefined && { signal: call.signal }),
  };
}

/** A block by PreToolUse is its own event; an interrupt is nobody's denial. */
function isDenial({ verdict, halt }: Decision): boolean {
  return verdict.kind !== 'deny' && verdict.kind !== 'cancelled' && halt === undefined;
}

function haltOf({ halt }: Decision): { readonly halt?: string } {
  return halt === undefined ? {} : { halt: halt.text };
}

/** The model has to know that it was not its own input. */
function changedInput({ input, rewrittenBy }: Decision): readonly string[] {
  return input === undefined
    ? []
    : [`${rewrittenBy.join(', ')} changed the input to ${JSON.stringify(input)}`];
}

function remarksOf({ contexts, verdict }: Decision): readonly string[] {
  const objections = verdict.kind === 'deny' ? verdict.reasons : [];
  return [...contexts, ...objections].map(attributed);
}

function attributed({ hook, text }: Attributed): string {
  return `${text} (from the hook ${hook})`;
}

function asText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

function sayError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
