// The calls under way at one server: what it asks meanwhile is asked in the name of whoever called.
import type { Caller } from '../tools/tool.ts';

export interface OpenCalls {
  /** Counts a call in until the result is called; without a caller it is the session's own. */
  begin(caller: Caller | undefined): () => void;
  /** Runs `work`, which asks for the server, with the caller it most likely asks for; undefined for the session itself. */
  ask<T>(work: (caller: Caller | undefined) => Promise<T>): Promise<T>;
  /** Whether something it asks waits for an answer. */
  asking(): boolean;
}

interface OpenCall {
  readonly caller: Caller | undefined;
  /** What is asked for it and waits for an answer. */
  asking: number;
}

/**
 * The protocol does not say on whose call a server asks. Of several it is the oldest one for which nothing waits yet: a
 * server that is called twice and asks twice asks once for each.
 */
export function createOpenCalls(): OpenCalls {
  const calls = new Set<OpenCall>();
  let asking = 0;

  function likeliest(): OpenCall | undefined {
    const open = [...calls];
    return open.find((call) => call.asking === 0) ?? open[0];
  }

  return {
    begin(caller) {
      const call: OpenCall = { caller, asking: 0 };
      calls.add(call);
      return () => void calls.delete(call);
    },
    async ask(work) {
      const call = likeliest() ?? { caller: undefined, asking: 0 };
      call.asking += 1;
      asking += 1;
      try {
        return await work(call.caller);
      } finally {
        call.asking -= 1;
        asking -= 1;
      }
    },
    asking: () => asking > 0,
  };
}
