// Compacts a conversation by itself before it no longer fits into the model's window.
import type { Attributed } from '@codey/hooks';
import { nothingToCompact, type CompactResult } from './compact.ts';

export interface AutomaticOptions {
  /** Tokens of the conversation now. */
  readonly tokens: () => number;
  /** Of the model's window; undefined where it is unknown: then nothing is done, and the provider will say when it is full. */
  readonly window: () => number | undefined;
  readonly compact: () => Promise<CompactResult>;
  /** Told what was done and why something was not. */
  readonly notice: (text: string) => void;
}

export interface AutomaticCompaction {
  /** Between two turns. The hook that does not let the conversation be compacted where it must be; the run ends then. */
  pass(): Promise<Attributed | undefined>;
}

export type Fullness = 'roomy' | 'near' | 'full';

/** Room for a turn of the usual size is left at the first mark; at the second one the next answer may not fit. */
const nearShare = 0.8;
const fullShare = 0.95;

export function fullness(tokens: number, window: number | undefined): Fullness {
  if (window === undefined || tokens < window * nearShare) return 'roomy';
  return tokens < window * fullShare ? 'near' : 'full';
}

/**
 * One an agent. Hooks that say no are asked twice before the run ends: once when the window is nearly full, and once
 * more when it is. A summary that comes to nothing is tried again when the window is full, and then no more.
 */
export function createAutomaticCompaction(options: AutomaticOptions): AutomaticCompaction {
  const { notice } = options;
  let asked = false;
  let gaveUp = false;

  async function compact(): Promise<CompactResult> {
    const result = await options.compact();
    if (result.kind === 'compacted') notice(sayCompacted(result));
    else if (result.kind === 'blocked') notice(`the conversation was not compacted: ${result.reason}`);
    else if (result.why !== nothingToCompact) notice(result.why);
    return result;
  }

  async function atTheLimit(): Promise<Attributed | undefined> {
    const first = await compact();
    const result = first.kind === 'blocked' && !asked ? await compact() : first;
    gaveUp = result.kind === 'unchanged';
    return result.kind === 'blocked' ? result.reasons[0] : undefined;
  }

  return {
    async pass() {
      const now = fullness(options.tokens(), options.window());
      switch (now) {
        case 'roomy':
          asked = false;
          gaveUp = false;
          return undefined;
        case 'near':
          if (!asked) await compact();
          asked = true;
          return undefined;
        case 'full': {
          const refusal = gaveUp ? undefined : await atTheLimit();
          asked = true;
          return refusal;
        }
      }
    },
  };
}

function sayCompacted({ before, after }: Extract<CompactResult, { kind: 'compacted' }>): string {
  const tokens = (count: number): string => count.toLocaleString('en-US');
  return `the conversation was compacted: ${before.messages} messages became ${after.messages}, about ${tokens(before.tokens)} tokens ${tokens(after.tokens)}`;
}
