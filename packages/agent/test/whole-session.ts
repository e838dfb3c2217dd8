// A whole session for tests: real settings files, real hooks and tools, a model that is a function.
import {
  checkStart,
  type JournalEntry,
  loadSettings,
  resolveSettings,
  takeSnapshot,
  trustEverything,
} from '@codey/hooks';
import { startSession } from '../src/agent.ts';
import type { Started, StartOptions } from '../src/live-session.ts';
import { protectedPaths } from '../src/gate/permissions/protected-paths.ts';
import { rememberApprovals } from '../src/gate/permissions/remembered.ts';
import type { Model, ModelRequest } from '../src/model/model.ts';
import { createMemorySession } from '../src/session/session.ts';

/** One answer of the model; a thrown error is the provider's failure. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
}

/** May answer later; a call that is aborted meanwhile is given up. */
export type AnswerCall = (request: ModelRequest) => Answer | Promise<Answer>;

export function modelOf(answer: AnswerCall, id = 'test/model'): Model {
  let calls = 0;
  return {
    id,
    async *stream(request) {
      request.signal.throwIfAborted();
      const { text = '', calls: wanted = [] } = await unlessAborted(answer(request), request.signal);
      if (text !== '') yield { kind: 'text', text };
      for (const { tool, input } of wanted) {
        calls += 1;
        yield { kind: 'call', call: { id: `call_${calls}`, tool, input } };
      }
      yield {
        kind: 'finish',
        reason: wanted.length > 0 ? 'calls' : 'stop',
        usage: { input: 10, output: 1 },
      };
    },
  };
}

function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp);
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

export interface WholeSessionOptions extends Partial<StartOptions> {
  /** Real paths. */
  readonly projectRoot: string;
  readonly home: string;
  readonly model: Model;
}

export interface WholeSession {
  readonly started: Started;
  readonly journal: readonly JournalEntry[];
  /** What the user is told of hooks and the session. */
  readonly notices: readonly string[];
}

let sessions = 0;

/** With the settings of that home and project, all of them trusted. Throws for settings that do not load. */
export async function openWholeSession(options: WholeSessionOptions): Promise<WholeSession> {
  const { projectRoot, home } = options;
  const loaded = await loadSettings({ projectRoot, home });
  const refusal = checkStart(loaded, {});
  if (refusal !== undefined) throw new Error(refusal.text);
  const settings = resolveSettings(loaded, { agreed: () => true, flags: {} });
  const { mode, ...rules } = settings.permissions;
  const permissions = {
    mode,
    rules,
    protectedPaths: await protectedPaths({
      home,
      roots: [projectRoot],
      files: loaded.files.map(({ file }) => file),
    }),
    extraDirs: [],
    remembered: await rememberApprovals({
      store: { load: async () => ({ rules: [] }), keep: async () => ({}) },
      notice: (sentence) => void notices.push(sentence),
    }),
  };
  const journal: JournalEntry[] = [];
  const notices: string[] = [];
  sessions += 1;
  const started = await startSession({
    stored: createMemorySession(`session-${sessions}`, Date.now),
    source: 'startup',
    cwd: projectRoot,
    snapshot: takeSnapshot(loaded, { agreed: () => true }),
    skills: [],
    permissions: () => permissions,
    trust: trustEverything,
    journal: { append: (entry) => void journal.push(entry), flush: async () => {} },
    environment: { PATH: process.env.PATH ?? '', HOME: home },
    toolEnvironment: {},
    extraDirs: [],
    bare: false,
    depth: 0,
    missingSteps: [],
    onEvent: (event) => void (event.kind === 'notice' && notices.push(event.text)),
    onHookNotice: (notice) => void notices.push(notice.kind === 'message' ? notice.text : notice.sentence),
    ...options,
  });
  return { started, journal, notices };
}
