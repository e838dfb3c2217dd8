// The engine of one session with everyday parts behind its ports: what an agent that embeds it needs to begin.
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicMs } from '../monotonic.ts';
import { loadSettings } from '../config/load.ts';
import { formatProblem, type Problem } from '../config/problem.ts';
import { resolveSettings, type Settings } from '../config/resolve.ts';
import type { LocationOptions } from '../config/scopes.ts';
import { takeSnapshot } from '../config/snapshot.ts';
import { openJournal } from '../journal/journal.ts';
import { createOutputStore } from '../journal/output-store.ts';
import { projectFolder } from '../journal/project-folder.ts';
import { createHookEngine, type HookEngine } from '../policy/engine.ts';
import { createOnce } from '../policy/once.ts';
import type { EnginePorts, HookNotice } from '../policy/ports.ts';
import { createCommandRunner } from '../runners/command.ts';
import { ancestry } from '../runners/depth.ts';
import { createHttpRunner } from '../runners/http.ts';
import { createForkServer } from '../runners/fork-server.ts';
import { createPipeSupply } from '../runners/output-pipes.ts';
import { createProcessHost } from '../runners/process.ts';
import { createWorkerRunner } from '../runners/worker.ts';
import { trustOwnHooksOnly } from '../trust/trust.ts';
import { guessSubject } from './guess-subject.ts';

/** What an agent must say to open the hooks of a project. Paths are absolute. */
export interface OpenHooksOptions extends LocationOptions {
  /** What hooks inherit; usually `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Sentences a person should read: hooks that failed, were held back, or have a message. */
  readonly notify: (sentence: string) => void;
  /** Id of the conversation; a new one if not given. */
  readonly session?: string;
  /** Replaces any of the parts; `runners` are added to those for commands, workers and http. */
  readonly ports?: Partial<EnginePorts>;
}

/** An engine with its settings and journal; call `close` when the conversation ends. */
export interface OpenedHooks {
  readonly engine: HookEngine;
  readonly settings: Settings;
  readonly session: string;
  /** Absolute, without links. */
  readonly projectRoot: string;
  /** Waits for async hooks, ends workers, writes the rest of the journal. */
  close(): Promise<void>;
}

/** The settings hold mistakes. A hook that would silently never fire is worse than a start that says why not. */
export class SettingsRefused extends Error {
  override readonly name = 'SettingsRefused';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      `the settings hold mistakes:\n${problems.map((problem) => `  ${formatProblem(problem)}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/**
 * Loads the settings of a project and its user, and opens an engine that runs command, worker and http hooks, journals
 * to `.codey/events.jsonl` and holds back what a repository supplies. Rejects with `SettingsRefused`, which lists every
 * problem of every file, and where the project's root does not exist.
 */
export async function openHooks(options: OpenHooksOptions): Promise<OpenedHooks> {
  const { home, notify, session = randomUUID(), ports = {} } = options;
  // Hooks run there: in a directory that is not there every guard would break, and a broken guard blocks nothing.
  const projectRoot = await realpath(options.projectRoot);
  const loaded = await loadSettings({ ...options, projectRoot });
  const problems = loaded.files.flatMap((file) => file.problems);
  if (problems.length > 0) throw new SettingsRefused(problems);
  for (const { warnings } of loaded.files) for (const warning of warnings) notify(formatProblem(warning));

  // Of a repository's settings only what tightens counts, since nobody was asked about the rest.
  const agreed = () => false;
  const environment = withoutUndefined(options.environment);
  const forks = createForkServer();
  const pipes = createPipeSupply({ forks });
  const processes = createProcessHost({ forks, pipes });
  const journal = await openJournal({
    projectRoot,
    ...(home !== undefined && { home }),
    session,
    pid: process.pid,
    now: Date.now,
    onNotice: notify,
  });
  const outputs =
    home === undefined
      ? undefined
      : createOutputStore(join(projectFolder(home, projectRoot), 'sessions', session, 'output'));
  const snapshot = takeSnapshot(loaded, { agreed });
  const engine = createHookEngine({
    session,
    projectRoot,
    snapshot,
    depth: ancestry().depth,
    ports: {
      environment,
      journal,
      trust: trustOwnHooksOnly,
      once: createOnce(),
      subjectOf: guessSubject,
      notify: (notice) => notify(sayNotice(notice)),
      keepOutput: async (hook, printed) => outputs?.save(hook.id, printed),
      spill: async (hook, text) => outputs?.spill(hook.id, text),
      now: monotonicMs,
      date: () => new Date(),
      uniqueId: randomUUID,
      ...ports,
      runners: {
        command: createCommandRunner({ processes }),
        worker: createWorkerRunner({ processes, onNotice: notify }),
        http: createHttpRunner({ environment, allowedUrls: () => snapshot.switches.allowedHttpUrls }),
        ...ports.runners,
      },
    },
  });
  return {
    engine,
    settings: resolveSettings(loaded, { agreed }),
    session,
    projectRoot,
    async close() {
      await engine.close();
      pipes.close();
      forks.close();
      await journal.close();
    },
  };
}

function sayNotice(notice: HookNotice): string {
  return notice.kind === 'message' ? `${notice.hook}: ${notice.text}` : notice.sentence;
}

function withoutUndefined(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
