// What the suite needs of the agent it examines. Each function is a few lines in most agents.

/** A tool as the agent's model calls it. */
export interface CallableTool {
  readonly name: string;
  /** The input of a call that runs this command, or that gives this task to a subagent. */
  readonly input: (text: string) => Readonly<Record<string, unknown>>;
}

/** Your agent, as the suite drives it. */
export interface ConformanceHost {
  /** Runs a command line in the project's root with `sh`; a command that exits non-zero is a failed call. */
  readonly shell: CallableTool;
  /** Starts a subagent with a task; absent where the agent has none, and then the cases about them are skipped. */
  readonly subagent?: CallableTool;
  /**
   * Opens a session as the agent does for its users. The settings stand in `<home>/.codey/settings.json`, where a user's
   * own settings stand. Several sessions may be open at once.
   */
  open(options: OpenOptions): Promise<OpenedSession>;
}

/** How a case wants a session to be opened. */
export interface OpenOptions {
  /** Absolute, real path; the session's working directory too. */
  readonly projectRoot: string;
  /** Absolute, real path. Nothing outside it and the project belongs to the session. */
  readonly home: string;
  /** Answers every model call, of subagents too. */
  readonly model: ModelStandIn;
  /** Answers approval prompts; absent where nobody is there to answer, as in a run without a screen. */
  readonly human?: HumanStandIn;
}

/** Stands in for the model's provider. It may take its time, and the call may be aborted meanwhile. */
export type ModelStandIn = (call: ModelCall) => ModelAnswer | Promise<ModelAnswer>;

/** What the stand-in for a model was sent. */
export interface ModelCall {
  /** `main`, or the name of the subagent. */
  readonly agent: string;
  /** Everything the model is given in this call except the list of tools, as one text. */
  readonly conversation: string;
}

/** What the stand-in for a model answers. */
export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The provider fails with this sentence. */
  readonly error?: string;
}

/** A tool call that the stand-in for a model makes. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Never rejects. `remember`: yes, and calls like it need not be asked about again. */
export type HumanStandIn = (request: {
  readonly tool: string;
  /** Fires when the prompt went away; nobody waits for the answer then. */
  readonly signal: AbortSignal;
}) => Promise<'allow' | 'remember' | 'deny'>;

/** A session, or the reason why it did not open. */
export type OpenedSession =
  | { readonly kind: 'open'; readonly session: ConformanceSession }
  /** A SessionStart hook said no. */
  | { readonly kind: 'blocked'; readonly reason: string };

/** A conversation that was opened. */
export interface ConformanceSession {
  /** Resolves when the run is over, however it ended. */
  prompt(text: string): Promise<RunEnd>;
  /** Ends the run that is going on. */
  interrupt(): void;
  /** Resolves when everything of the session is over. May be called twice. */
  close(): Promise<void>;
}

/** How a run ended. */
export interface RunEnd {
  /** `refused`: a hook kept the prompt from starting a run. */
  readonly kind: 'completed' | 'error' | 'interrupted' | 'refused';
  /** What the user is told; empty for a completed run. */
  readonly message: string;
}
