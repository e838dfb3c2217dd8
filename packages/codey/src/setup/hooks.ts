// Hooks of moments that have no session: Setup where the wizard begins or no model can be opened, ConfigChange after a save.
import { randomUUID } from 'node:crypto';
import {
  type Ancestry,
  createCommandRunner,
  createHookEngine,
  createHttpRunner,
  createOnce,
  createProcessHost,
  createWorkerRunner,
  defaultWithheld,
  heldBackNotice,
  type HookFlags,
  type HookSnapshot,
  type LoadedSettings,
  openJournal,
  type PolicyPayload,
  quietContext,
  sayReasons,
  monotonicMs,
  takeSnapshot,
  type TrustCheck,
} from '@codey/hooks';
import { openStanding } from '../start/project.ts';
import type { World } from '../start/world.ts';

/** Whose file was saved; the local one counts as the project's. */
export type ChangedSettings = PolicyPayload<'ConfigChange'>['source'];

export interface SetupHooks {
  tellMissing(steps: readonly string[]): Promise<void>;
  /** Why what was saved may not stay, as it goes on after “was”; undefined when it may. */
  askAboutChange(file: string, source: ChangedSettings): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface SetupHooksOptions {
  readonly projectRoot: string;
  readonly snapshot: HookSnapshot;
  readonly trust: TrustCheck;
  readonly family: Pick<Ancestry, 'depth'>;
  readonly world: World;
  /** Aborts when whoever waits for the answers wants to leave: the hooks are ended, and their answer is a no. */
  readonly signal?: AbortSignal;
  /** What will be asked. */
  readonly events: readonly ('Setup' | 'ConfigChange')[];
}

/**
 * Those of a project that no session is open in, whatever its settings files hold; a repository's run as they do in a
 * session: where the user agreed to them.
 */
export async function openProjectHooks({
  loaded,
  flags,
  ...options
}: Omit<SetupHooksOptions, 'snapshot' | 'trust'> & {
  readonly loaded: LoadedSettings;
  readonly flags: HookFlags;
}): Promise<SetupHooks> {
  const { trust, standing } = await openStanding(
    { root: options.projectRoot, loaded, settingsFile: undefined, trustProjectHooks: false },
    // What is wrong with plugins and foreign files a session says; here nothing is opened of them but their hooks.
    { ...options.world, notices: { ...options.world.notices, warn: () => {} } },
  );
  const snapshot = takeSnapshot(loaded, {
    agreed: trust.agreed,
    flags,
    contributed: standing,
    providerKeys: defaultWithheld,
  });
  const asked: ReadonlySet<string> = new Set(options.events);
  if (snapshot.policy.some(({ event, source }) => asked.has(event) && source.fromRepository)) {
    const held = heldBackNotice(trust.review());
    if (held !== undefined) options.world.notices.warn(held);
  }
  return openSetupHooks({ ...options, snapshot, trust });
}

/** Where nobody listens nothing is opened, and no journal is begun in a folder that may be no project at all. */
export async function openSetupHooks(options: SetupHooksOptions): Promise<SetupHooks> {
  const { projectRoot, snapshot, trust, family, world } = options;
  const events: ReadonlySet<string> = new Set(options.events);
  if (!snapshot.policy.some(({ event }) => events.has(event))) return nobodyListens;

  const session = randomUUID();
  const journal = await openJournal({
    projectRoot,
    session,
    pid: world.pid,
    now: Date.now,
    onNotice: world.notices.warn,
    ...(world.home !== undefined && { home: world.home }),
  });
  const processes = createProcessHost();
  const engine = createHookEngine({
    session,
    projectRoot,
    snapshot,
    depth: family.depth,
    ports: {
      runners: {
        command: createCommandRunner({ processes }),
        worker: createWorkerRunner({ processes, onNotice: world.notices.warn }),
        http: createHttpRunner({
          environment: world.environment,
          allowedUrls: () => snapshot.switches.allowedHttpUrls,
        }),
      },
      environment: world.environment,
      journal,
      trust,
      once: createOnce(new Set(), () => {}),
      subjectOf: () => ({ kind: 'none' }),
      notify: (notice) =>
        world.notices.warn(notice.kind === 'message' ? `${notice.text} (${notice.hook})` : notice.sentence),
      keepOutput: () => Promise.resolve(undefined),
      spill: () => Promise.resolve(undefined),
      now: monotonicMs,
      date: () => new Date(),
      uniqueId: randomUUID,
    },
  });
  const { signal } = options;
  const context = { ...quietContext(projectRoot), ...(signal !== undefined && { signal }) };
  return {
    async tellMissing(steps) {
      if (steps.length > 0) await engine.dispatch('Setup', { missing_steps: [...steps] }, context);
    },
    async askAboutChange(file, source) {
      const { verdict, halt } = await engine.dispatch('ConfigChange', { source, file_path: file }, context);
      if (verdict.kind === 'cancelled') return 'interrupted before the ConfigChange hooks had passed';
      // There is nobody to put the question of a guard to: its `ask` is a no.
      if (verdict.kind === 'deny' || verdict.kind === 'ask')
        return `refused by a ConfigChange hook: ${sayReasons(verdict.reasons)}`;
      if (halt !== undefined)
        world.notices.warn(`"continue": false says nothing here: there is no run to end (${halt.hook})`);
      return undefined;
    },
    async close() {
      await engine.close();
      await processes.settle(settleMs);
      await journal.close();
    },
  };
}

const settleMs = 5_000;

const nobodyListens: SetupHooks = {
  tellMissing: () => Promise.resolve(),
  askAboutChange: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
};
