// What a hook's process finds in its environment: the program's own, less what it must not see, plus what is promised.
import { carryMarker } from './strays.ts';

/** Names a hook run; every process it starts inherits it, which is how strays are found. */
export const runMarkerName = 'CODEY_HOOK_RUN';
/** How many hooks deep a process is: 1 in a hook, 2 in a hook of a session that runs inside a hook. */
export const depthName = 'CODEY_HOOK_DEPTH';
/** In every child of a session, tools as well as hooks; its value is the session's id. */
export const sessionMarkerName = 'CODEY_SESSION_MARKER';
/** The herdr pane that the session above reports to. */
export const paneMarkerName = 'CODEY_SESSION_PANE';

export interface HookEnvironmentOptions {
  /** What the program itself was started with, plus what the session's env files added. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the dispatching workspace. */
  readonly projectDir: string;
  readonly sessionId?: string;
  /** The hook's own env file, on events that have one. */
  readonly envFile?: string;
  /** Root of the skill or plugin the hook comes from. */
  readonly skillDir?: string;
  /** The hook's depth: one more than its session's. */
  readonly depth: number;
  readonly runId: string;
  /** The pane the session reports to, if it does. */
  readonly herdrPane?: string;
  /** Names of `base` this hook does not get. */
  readonly withhold?: readonly string[];
  /** Further variables, such as those of a lifecycle event. They cannot replace the ones promised here. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** Pure. The same value stands under `CODEY_` and `KODER_` for each of the four promised variables. */
export function hookEnvironment(options: HookEnvironmentOptions): Readonly<Record<string, string>> {
  const { base, projectDir, sessionId, envFile, skillDir, depth, runId, herdrPane } = options;
  const environment = {
    ...inherited(base, options.withhold ?? []),
    ...options.extra,
    ...twins('PROJECT_DIR', projectDir),
    ...twins('SESSION_ID', sessionId),
    ...twins('ENV_FILE', envFile),
    ...twins('SKILL_DIR', skillDir),
    ...(sessionId !== undefined &&
      sessionMarkers({ sessionId, ...(herdrPane !== undefined && { herdrPane }) })),
    [depthName]: String(depth),
  };
  return carryMarker(environment, { name: runMarkerName, value: runId });
}

/** What every child of a session carries, so that it knows it runs inside one and which pane is spoken for. */
export function sessionMarkers(session: {
  readonly sessionId: string;
  readonly herdrPane?: string;
}): Readonly<Record<string, string>> {
  return {
    [sessionMarkerName]: session.sessionId,
    ...(session.herdrPane !== undefined && { [paneMarkerName]: session.herdrPane }),
  };
}

/** Withheld from hooks of projects, plugins and skills unless the user says otherwise: keys of model providers. */
export const defaultWithheld: readonly string[] = [
  'AI_GATEWAY_API_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'AZURE_OPENAI_API_KEY',
  'CEREBRAS_API_KEY',
  'COHERE_API_KEY',
  'DEEPSEEK_API_KEY',
  'FIREWORKS_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'PERPLEXITY_API_KEY',
  'TOGETHER_API_KEY',
  'XAI_API_KEY',
];

/** Ours to say: a value that is inherited speaks of another hook, event or session and would be believed. */
const ownedNames: ReadonlySet<string> = new Set([
  ...['PROJECT_DIR', 'SESSION_ID', 'ENV_FILE', 'SKILL_DIR'].flatMap((name) => Object.keys(twins(name, ''))),
  ...['HOOK_EVENT', 'SESSION', 'AGENT', 'TURN', 'TOOL', 'REASON', 'MESSAGE', 'ERROR'].map(
    (name) => `CODEY_${name}`,
  ),
  depthName,
]);

function inherited(
  base: Readonly<Record<string, string | undefined>>,
  withhold: readonly string[],
): Readonly<Record<string, string>> {
  const withheld = new Set(withhold);
  return Object.fromEntries(
    Object.entries(base).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !ownedNames.has(entry[0]) && !withheld.has(entry[0]),
    ),
  );
}

function twins(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [`CODEY_${name}`]: value, [`KODER_${name}`]: value };
}
