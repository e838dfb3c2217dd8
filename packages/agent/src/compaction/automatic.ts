// Compacts a conversation by itself: before it no longer fits into the model's window, and where the provider says it does not.
import type { Attributed } from '@codey/hooks';
import { nothingToCompact, type CompactResult, type Occasion } from './compact.ts';

/** Nobody but the program itself wants it. */
type Unasked = Exclude<Occasion, 'asked'>;

export interface AutomaticOptions {
  /** Tokens of the conversation now. */
  readonly tokens: () => number;
  /** Of the model's window; undefined where it is unknown: then nothing is done, and the provider will say when it is full. */
  readonly window: () => number | undefined;
  readonly compact: (occasion: Unasked) => Promise<CompactResult>;
  /** Told what was done and why something was not. */
  readonly notice: (text: string) => void;
}

export interface AutomaticCompaction {
  /** Between two turns. The hook that does not let the conversation be compacted where it must be; the run ends then. */
  pass(): Promise<Attributed | undefined>;
  /** Where the provider refused the conversation as too long: that is the limit, whatever was counted. */
  makeRoom(): Promise<CompactResult>;
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

  async function compact(occasion: Unasked): Promise<CompactResult> {
    const result = await options.compact(occasion);
    if (result.kind === 'compacted') notice(sayCompacted(result));
    else if (result.kind === 'blocked') notice(`the conversation was not compacted: ${result.reason}`);
    else if (result.why !== nothingToCompact) notice(result.why);
    return result;
  }

  async function atTheLimit(occasion: Unasked): Promise<CompactResult> {
    const first = await compact(occasion);
    const result = first.kind === 'blocked' && !asked ? await compact(occasion) : first;
    asked = true;
    return result;
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
          if (!asked) await compact('filling');
          asked = true;
          return undefined;
        case 'full': {
          if (gaveUp) return undefined;
          const result = await atTheLimit('filling');
          gaveUp = result.kind === 'unchanged';
          return result.kind === 'blocked' ? result.reasons[0] : undefined;
        }
      }
    },
    makeRoom: () => atTheLimit('refused'),
  };
}

function sayCompacted({ before, after }: Extract<CompactResult, { kind: 'compacted' }>): string {
  const tokens = (count: number): string => count.toLocaleString('en-US');
  return `the conversation was compacted: ${before.messages} messages became ${after.messages}, about ${tokens(before.tokens)} tokens ${tokens(after.tokens)}`;
}
