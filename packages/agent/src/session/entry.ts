// The lines of a session's log. A session is the fold of its lines; nothing else is stored about it.
import type { ToolCall, Usage } from '../model/model.ts';

/** Version of this format; the first line of a log carries it. */
export const sessionFormat = 1;

/** Where something in the conversation came from. */
export type Provenance =
  | { readonly kind: 'user' }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'hook'; readonly event: string; readonly id: string }
  | { readonly kind: 'host' };

/** What a writer hands in; the log adds `n` (from 1) and `time`. */
export type SessionEntry =
  /** Always the first line. */
  | {
      readonly kind: 'session';
      readonly format: typeof sessionFormat;
      readonly id: string;
      readonly projectRoot: string;
      readonly cwd: string;
      readonly forkedFrom?: string;
    }
  | {
      readonly kind: 'opened';
      readonly source: 'startup' | 'resume' | 'clear';
      readonly model: string;
      readonly cwd: string;
    }
  | { readonly kind: 'prompt'; readonly agent: string; readonly text: string; readonly from: Provenance }
  | {
      readonly kind: 'context';
      readonly agent: string;
      readonly text: string;
      readonly from: Provenance;
      readonly source: string;
    }
  | {
      readonly kind: 'answer';
      readonly agent: string;
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly usage: Usage;
      readonly carry?: unknown;
      readonly from: Provenance;
    }
  | {
      readonly kind: 'result';
      readonly agent: string;
      readonly callId: string;
      readonly tool: string;
      readonly output: string;
      readonly failed: boolean;
      readonly from: Provenance;
    }
  /** The messages of entries before `keptFrom` are replaced by the summary, for that agent. */
  | {
      readonly kind: 'compacted';
      readonly agent: string;
      readonly summary: string;
      /** The `n` of the first entry whose message stays. */
      readonly keptFrom: number;
      /** Of the model call that wrote the summary. */
      readonly usage?: Usage;
      readonly from: Provenance;
    }
  | {
      readonly kind: 'run';
      readonly agent: string;
      readonly state: 'start' | 'end';
      readonly reason?: string;
    }
  /** An agent beside the main one. Its conversation is let go when it is gone; its name is not given again. */
  | {
      readonly kind: 'agent';
      readonly agent: string;
      readonly type: string;
      readonly state: 'started' | 'gone';
    }
  /** A team the main agent leads, and under which name; the last one opened is the one in use. */
  | { readonly kind: 'team'; readonly team: string; readonly state: 'opened'; readonly lead: string }
  | { readonly kind: 'team'; readonly team: string; readonly state: 'closed' }
  /** A `once` hook that was started: spent for the session, also after a resume. */
  | { readonly kind: 'once'; readonly identity: string }
  /** Variables that env files brought into the session; null takes one away. */
  | {
      readonly kind: 'env';
      readonly values: Readonly<Record<string, string | null>>;
      readonly from: Provenance;
    }
  | { readonly kind: 'cwd'; readonly cwd: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'closed'; readonly reason: string };

/** An entry as it stands in the log. */
export type LoggedEntry = {
  /** Grows by one with each entry of a log. */
  readonly n: number;
  /** ISO 8601 with milliseconds, UTC. */
  readonly time: string;
} & SessionEntry;
