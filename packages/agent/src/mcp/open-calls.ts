// The calls under way at one server: what it asks meanwhile is asked in the name of whoever called.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../tools/tool.ts';

export interface OpenCalls {
  /** Counts a call in until it is ended; without a caller it is the session's own. */
  begin(caller: Caller | undefined): OpenCall;
  /** Runs `work`, which asks for the server, with whom it asks for. */
  ask<T>(work: (asker: Asker) => Promise<T>): Promise<T>;
  /** Whether something it asks waits for an answer. */
  asking(): boolean;
}

export interface OpenCall {
  /** Sends the request. What the server asks on the stream of its answer is asked for this call. */
  run<T>(request: () => Promise<T>): Promise<T>;
  end(): void;
}

export interface Asker {
  /** Undefined for the session itself. */
  readonly caller: Caller | undefined;
  /** Whose calls are under way, where nothing says on which of them the server asks; else empty. */
  readonly oneOf: readonly (Caller | undefined)[];
}

interface Call {
  readonly caller: Caller | undefined;
  /** What is asked for it and waits for an answer. */
  asking: number;
}

/**
 * Over HTTP a server asks on the stream of the call, and whatever is read from a stream runs in the context in which it
 * was opened. Elsewhere the protocol does not say on whose call a server asks. Of several it is taken for the oldest one for
 * which nothing waits yet: a server that is called twice and asks twice asks once for each.
 */
export function createOpenCalls(): OpenCalls {
  const calls = new Set<Call>();
  const streams = new AsyncLocalStorage<Call>();
  let asking = 0;

  function findAsker(): { readonly call: Call; readonly oneOf: Asker['oneOf'] } {
    const own = streams.getStore();
    if (own !== undefined && calls.has(own)) return { call: own, oneOf: [] };
    const open = [...calls];
    const likeliest = open.find((call) => call.asking === 0) ?? open[0];
    if (likeliest === undefined) return { call: { caller: undefined, asking: 0 }, oneOf: [] };
    return { call: likeliest, oneOf: open.length === 1 ? [] : open.map(({ caller }) => caller) };
  }

  return {
    begin(caller) {
      const call: Call = { caller, asking: 0 };
      calls.add(call);
      return {
        run: (request) => streams.run(call, request),
        end: () => void calls.delete(call),
      };
    },
    async ask(work) {
      const { call, oneOf } = findAsker();
      call.asking += 1;
      asking += 1;
      try {
        return await work({ caller: call.caller, oneOf });
      } finally {
        call.asking -= 1;
        asking -= 1;
      }
    },
    asking: () => asking > 0,
  };
}
