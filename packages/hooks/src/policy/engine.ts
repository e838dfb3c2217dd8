// One session's hooks: what hosts hold in their hands.
import type { HookDefinition, HookFunction } from '../config/hook.ts';
import type { HookSnapshot, Switches } from '../config/snapshot.ts';
import { createFunctionRunner } from '../runners/function.ts';
import { createBackground } from './background.ts';
import type { PolicyEventName, PolicyPayload } from './catalogue.ts';
import type { Attributed, Decision } from './decision.ts';
import { dispatch, type DispatchContext, type DispatchFrame } from './dispatch.ts';
import { functionHook, type FunctionHookOptions } from './function-hook.ts';
import { createMatching } from './matching.ts';
import type { EnginePorts } from './ports.ts';

/** What an engine is made of. */
export interface HookEngineOptions {
  readonly session: string;
  /** Absolute, real. */
  readonly projectRoot: string;
  readonly snapshot: HookSnapshot;
  /** How many hooks this program runs inside; 0 for a program that no hook started. */
  readonly depth: number;
  readonly ports: EnginePorts;
}

/** Asks the hooks of one frozen snapshot. */
export interface Dispatcher {
  /** Resolves with the merged decision; never rejects for anything a hook does. */
  dispatch<Event extends PolicyEventName>(
    event: Event,
    payload: PolicyPayload<Event>,
    context: DispatchContext,
  ): Promise<Decision>;
}

/** The hooks of one session: asked, added, replaced, closed. */
export interface HookEngine extends Dispatcher {
  /** A dispatcher that keeps today's snapshot: a tool call is judged from start to end by one set of hooks. */
  pin(): Dispatcher;
  /** Adds an in-process hook; call the result to take it away. */
  on(event: PolicyEventName, call: HookFunction, options?: FunctionHookOptions): () => void;
  /** Replaces the configured hooks for dispatches that begin from now on. */
  use(snapshot: HookSnapshot): void;
  /**
   * The same engine with further hooks behind its own: for one agent whose definition brings hooks, while the others
   * are asked about as before. Whatever changes here changes there too.
   */
  with(hooks: readonly HookDefinition[]): HookEngine;
  /** Every hook there is, in config order, switched-off ones included. */
  readonly snapshot: HookSnapshot;
  /** Context that async hooks left since the last call, for the next turn: of one agent's dispatches, or of all. */
  takeLateContexts(agent?: string): readonly Attributed[];
  /** Waits for async hooks, then ends what runners keep alive. */
  close(): Promise<void>;
}

/** Nothing in an engine is process-global: two sessions with different roots run in one process. */
export function createHookEngine(options: HookEngineOptions): HookEngine {
  const background = createBackground();
  const functions: HookDefinition[] = [];
  let functionsMade = 0;
  const ports: EnginePorts = {
    ...options.ports,
    runners: { function: createFunctionRunner({ now: options.ports.now }), ...options.ports.runners },
  };
  let snapshot = options.snapshot;
  let frame = makeFrame();

  function makeFrame(more: readonly HookDefinition[] = []): DispatchFrame {
    const whole = more.length === 0 ? snapshot : { ...snapshot, policy: [...snapshot.policy, ...more] };
    const byEvent = indexByEvent(whole, functions);
    return {
      session: options.session,
      projectRoot: options.projectRoot,
      snapshot: whole,
      matching: createMatching((event) => byEvent.get(event) ?? [], snapshot.switches, options.depth),
      depth: options.depth,
      ports,
      startInBackground: background.start,
    };
  }

  const dispatcherOf = (pinned: () => DispatchFrame): Dispatcher => ({
    dispatch: (event, payload, context) => dispatch({ event, payload, context }, pinned()),
  });

  function engineWith(more: readonly HookDefinition[]): HookEngine {
    const current = more.length === 0 ? () => frame : follow(more);
    return {
      ...dispatcherOf(current),
      pin() {
        const kept = current();
        return dispatcherOf(() => kept);
      },
      on(event, call, hookOptions = {}) {
        // Counts on when one is taken away: two that live together must never be taken for copies of one.
        functionsMade += 1;
        const hook = functionHook(event, call, hookOptions, functionsMade);
        functions.push(hook);
        frame = makeFrame();
        return () => {
          const place = functions.indexOf(hook);
          if (place === -1) return;
          functions.splice(place, 1);
          frame = makeFrame();
        };
      },
      use(next) {
        snapshot = next;
        frame = makeFrame();
      },
      with: (hooks) => engineWith([...more, ...hooks]),
      get snapshot() {
        return current().snapshot;
      },
      takeLateContexts: background.takeContexts,
      async close() {
        await background.idle();
        await Promise.all(Object.values(ports.runners).map(async (runner) => runner.close?.()));
      },
    };
  }

  /** Made anew only when the engine's own frame is another one. */
  function follow(more: readonly HookDefinition[]): () => DispatchFrame {
    let base: DispatchFrame | undefined;
    let extended = frame;
    return () => {
      if (base !== frame) extended = makeFrame(more);
      base = frame;
      return extended;
    };
  }

  return engineWith([]);
}

/** Managed hooks rank before everything; the host's own functions come right after them. */
function indexByEvent(
  { policy, switches }: HookSnapshot,
  functions: readonly HookDefinition[],
): ReadonlyMap<PolicyEventName, readonly HookDefinition[]> {
  const configured = policy.map((hook) => asStrictAsManaged(hook, switches));
  const managed = configured.filter((hook) => hook.source.scope === 'managed');
  const others = configured.filter((hook) => hook.source.scope !== 'managed');
  const byEvent = new Map<PolicyEventName, HookDefinition[]>();
  for (const hook of [...managed, ...functions, ...others]) {
    const known = byEvent.get(hook.event);
    if (known === undefined) byEvent.set(hook.event, [hook]);
    else known.push(hook);
  }
  return byEvent;
}

/** `hookFailure` of managed settings; an async hook never decides, so nothing can be forced on it. */
function asStrictAsManaged(hook: HookDefinition, { hookFailure }: Switches): HookDefinition {
  return hookFailure[hook.source.scope] === 'block' && !hook.async ? { ...hook, onFailure: 'block' } : hook;
}
