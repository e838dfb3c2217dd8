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
  type HookSnapshot,
  openJournal,
  quietContext,
  sayReasons,
  monotonicMs,
  type TrustCheck,
} from '@codey/hooks';
import type { World } from '../start/world.ts';

export interface SetupHooks {
  tellMissing(steps: readonly string[]): Promise<void>;
  /** The reason of a block, undefined when there is none. */
  askAboutChange(file: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface SetupHooksOptions {
  readonly projectRoot: string;
  readonly snapshot: HookSnapshot;
  readonly trust: TrustCheck;
  readonly family: Pick<Ancestry, 'depth'>;
  readonly world: World;
}

const events: readonly string[] = ['Setup', 'ConfigChange'];

/** Where nobody listens nothing is opened, and no journal is begun in a folder that may be no project at all. */
export async function openSetupHooks(options: SetupHooksOptions): Promise<SetupHooks> {
  const { projectRoot, snapshot, trust, family, world } = options;
  if (!snapshot.policy.some(({ event }) => events.includes(event))) return nobodyListens;

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
  const context = quietContext(projectRoot);
  return {
    async tellMissing(steps) {
      if (steps.length > 0) await engine.dispatch('Setup', { missing_steps: [...steps] }, context);
    },
    async askAboutChange(file) {
      const { verdict, halt } = await engine.dispatch(
        'ConfigChange',
        { source: 'user_settings', file_path: file },
        context,
      );
      // There is nobody beside the wizard to put the question of a guard to: its `ask` is a no.
      if (verdict.kind === 'deny' || verdict.kind === 'ask') return sayReasons(verdict.reasons);
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
