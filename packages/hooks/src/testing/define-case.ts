// The only way to make a case: what an agent must do, where that is promised, and a play that shows whether it does.
import type { ConformanceHost } from './host.ts';
import { explainFailure, expectThat } from './explain.ts';
import { onStage, type Stage } from './stage.ts';

/** One thing an integration owes, with the play that shows whether it keeps it. */
export interface ConformanceCase {
  /** Stable: skips are written down by it. */
  readonly id: string;
  /** What an agent must do, in one sentence. */
  readonly promise: string;
  /** Ids of the promises it examines. */
  readonly cites: readonly string[];
  /** What a host must have for it; a host without is not asked. */
  readonly needs?: 'subagent';
  /** Rejects with an AssertionError that says what the agent did instead, or with why `signal` gave it up. */
  run(host: ConformanceHost, signal?: AbortSignal): Promise<void>;
}

export interface CaseDefinition extends Omit<ConformanceCase, 'run'> {
  readonly play: (stage: Stage) => Promise<void>;
}

export function defineCase({ play, ...facts }: CaseDefinition): ConformanceCase {
  return {
    ...facts,
    run: (host, signal = new AbortController().signal) =>
      onStage(
        host,
        async (stage) => {
          expectThat(
            facts.needs === undefined || host[facts.needs] !== undefined,
            `The host has no ${facts.needs}; skip this case with the reason.`,
          );
          await play(stage);
        },
        signal,
        (error, seen) => {
          throw explainFailure(error, { ...facts, seen });
        },
      ),
  };
}
