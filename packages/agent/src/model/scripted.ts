// The scripted model: plays the answers of a file, so that a whole session runs without a key or a network.
import { usedCallIds } from './call-ids.ts';
import { type Model, ModelError, type ModelEvent, type ModelRequest } from './model.ts';
import { parseScript, type Script, type ScriptEntry } from './script-file.ts';
import { type Wait, waitOnClock } from './wait.ts';

/** The part of `node:fs/promises` a script is read with. */
export interface TextFiles {
  readFile(path: string, encoding: 'utf8'): Promise<string>;
}

export interface ScriptSource {
  /** As the user wrote it; it is named in problems and in the model's id. */
  readonly path: string;
  readonly text: string;
  readonly wait?: Wait;
}

/** What every call gets after the last entry. */
const scriptEnded: ScriptEntry = {
  text: '(script ended)',
  calls: [],
  delayMs: 0,
  usage: { input: 0, output: 0 },
};

/** A window like that of common models, so that `usage` in a script can fill it. */
const scriptedWindow = 200_000;

/** Pieces a text is streamed in: enough for a screen to be seen working, few enough to read in a log. */
const textPieces = 3;

/** Reads and checks the file. Throws ModelError `script` when it cannot be read or lists every problem in it. */
export async function loadScriptedModel(path: string, files: TextFiles, wait?: Wait): Promise<Model> {
  let text: string;
  try {
    text = await files.readFile(path, 'utf8');
  } catch (cause) {
    throw new ModelError('script', `cannot read the script ${path}: ${whyUnreadable(cause)}`, { cause });
  }
  return createScriptedModel({ path, text, ...(wait === undefined ? {} : { wait }) });
}

/**
 * A model whose answers are written down. Every agent plays its own script from its start: `main` for the main agent,
 * else the script under the agent's name, else under its type. An answer is used up when it is asked for, whether or
 * not the call is aborted. Throws ModelError `script` with one line a problem.
 */
export async function createScriptedModel({ path, text, wait = waitOnClock }: ScriptSource): Promise<Model> {
  const parsed = await parseScript(path, text);
  if (parsed.kind === 'problems') throw new ModelError('script', parsed.problems.join('\n'));
  const { script } = parsed;
  const positions = new Map<string, number>();
  const ids = createCallIds();
  return {
    id: `script:${path}`,
    contextWindow: scriptedWindow,
    stream(request) {
      const { name } = request.agent;
      const position = positions.get(name) ?? 0;
      positions.set(name, position + 1);
      return play(entriesOf(script, request.agent)[position] ?? scriptEnded, request, { wait, ids });
    },
  };
}

function entriesOf(script: Script, agent: ModelRequest['agent']): readonly ScriptEntry[] {
  if (agent.name === 'main') return script.main;
  const own = script.agents.get(agent.name) ?? script.agents.get(agent.type);
  // A hook may name a script of its own as its model, and then the whole script is the hook's.
  return own ?? (agent.type === 'hook' ? script.main : []);
}

interface Stage {
  readonly wait: Wait;
  readonly ids: CallIds;
}

async function* play(
  entry: ScriptEntry,
  request: ModelRequest,
  { wait, ids }: Stage,
): AsyncGenerator<ModelEvent> {
  request.signal.throwIfAborted();
  if (entry.delayMs > 0) await wait(entry.delayMs, request.signal);
  for (const text of inPieces(entry.text)) {
    request.signal.throwIfAborted();
    yield { kind: 'text', text };
  }
  if (entry.error !== undefined) throw new ModelError('script', entry.error);
  for (const call of entry.calls) {
    request.signal.throwIfAborted();
    // A copy: what runs the call may keep it, and the script must play the same way again.
    const input = structuredClone(call.input);
    yield { kind: 'call', call: { id: ids.next(request), tool: call.tool, input } };
  }
  yield { kind: 'finish', reason: entry.calls.length > 0 ? 'calls' : 'stop', usage: entry.usage };
}

/** At spaces and line ends where there are any, so that no piece ends inside a word. */
function inPieces(text: string): string[] {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
  const size = Math.ceil(words.length / textPieces);
  const pieces: string[] = [];
  for (let start = 0; start < words.length; start += size) {
    pieces.push(words.slice(start, start + size).join(''));
  }
  return pieces;
}

interface CallIds {
  next(request: ModelRequest): string;
}

/** Ids that are readable, the same in every rehearsal, and unused in the conversation even when it was resumed. */
function createCallIds(): CallIds {
  const last = new Map<string, number>();
  return {
    next({ agent, messages }) {
      const used = usedCallIds(messages);
      const prefix = `${agent.name.replace(/[^A-Za-z0-9_-]/g, '_')}_call_`;
      let number = (last.get(agent.name) ?? 0) + 1;
      while (used.has(`${prefix}${number}`)) number++;
      last.set(agent.name, number);
      return `${prefix}${number}`;
    },
  };
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function whyUnreadable(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return readErrors[(cause as NodeJS.ErrnoException).code ?? ''] ?? cause.message;
}
