// Lets herdr know what the agents of this program do, where the program runs in one of its panes.
import { join } from 'node:path';
import type { LiveSession } from '@codey/agent';
import { type Ancestry, describeProcess, detectHerdr, type HerdrPane } from '@codey/hooks';
import type { FollowedSession, HerdrReporter } from '@codey/hooks/herdr';
import type { Notices } from '../terminal/notices.ts';
import { familyOfThisProcess } from './family.ts';

export interface HerdrOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string | undefined;
  readonly pid: number;
  /** `-no-hooks`. */
  readonly noHooks: boolean;
  /** `herdr.report` of the settings. */
  readonly report: boolean;
  readonly notices: Pick<Notices, 'note'>;
  /** What is known of the processes above; asked of the machine if not given. */
  readonly family?: Pick<Ancestry, 'insideSession' | 'herdrPane'>;
}

/** A session as far as its pane is concerned. */
export interface PaneSession extends Pick<LiveSession, 'id' | 'bus'>, Pick<FollowedSession, 'journal'> {
  readonly agents: Pick<LiveSession['agents'], 'list' | 'watch'>;
}

/** What the full-screen mode holds in its hands while it reports. */
export interface HerdrReporting extends Pick<HerdrReporter, 'visible' | 'suspend' | 'resume' | 'release'> {
  follow(session: PaneSession): void;
  /** Who reports, as it was said at the start. */
  readonly notice: string;
}

/**
 * For the full-screen mode only, before it takes the screen: a headless run has nobody in front of its pane. Undefined,
 * and silent, outside a pane, inside another codey of the same pane, and where it is switched off. Nothing of the
 * reporter is loaded then.
 *
 * A process that is left without `release` (a second signal, a defect) frees the pane in its last moment by itself. A stop
 * by SIGTSTP is handled here where nobody else listens for it; who does listen calls `suspend` before stopping. The way
 * back (SIGCONT) is always handled here.
 */
export async function reportToHerdr(options: HerdrOptions): Promise<HerdrReporting | undefined> {
  const pane = detectHerdr(options.environment);
  if (pane === undefined || options.noHooks || !options.report) return undefined;
  if (isParentsPane(pane, options.family ?? familyOfThisProcess())) return undefined;

  const reporter = await createReporter(pane, options);
  const { held, owner } = await reporter.claim();
  const notice = held
    ? `herdr detected — reporting agent state to pane ${pane.id}`
    : `herdr detected — ${owner === null ? 'another codey' : `another codey (process ${owner.pid})`} reports for pane ${pane.id}, so this one does not`;
  options.notices.note(notice);
  const ignore = listen(reporter);
  return {
    ...reporter,
    notice,
    follow: ({ id, bus, journal, agents }) =>
      reporter.follow({
        id,
        bus,
        journal,
        watchAgents: (tell) =>
          agents.watch(() => tell(agents.list().some(({ state }) => state === 'working'))),
      }),
    async release() {
      await reporter.release();
      ignore();
    },
  };
}

/**
 * A codey that an agent of this pane started would take the pane over and, when it ends, take the entry of its parent
 * with it. Inside a session that names no pane nothing shows that this is another one.
 */
function isParentsPane(
  pane: HerdrPane,
  { insideSession, herdrPane }: Pick<Ancestry, 'insideSession' | 'herdrPane'>,
): boolean {
  return herdrPane === undefined ? insideSession : herdrPane === pane.id;
}

async function createReporter(
  pane: HerdrPane,
  { environment, home, pid }: HerdrOptions,
): Promise<HerdrReporter> {
  const { createHerdrCaller, createHerdrReporter, createPaneClaim } = await import('@codey/hooks/herdr');
  return createHerdrReporter({
    pane: pane.id,
    herdr: createHerdrCaller({ program: pane.program, environment }),
    claim: createPaneClaim({
      pane: pane.id,
      server: environment.HERDR_SOCKET_PATH ?? environment.HERDR_SESSION ?? '',
      folder: home === undefined ? undefined : join(home, '.codey', 'run'),
      owner: describeProcess(pid),
    }),
    now: Date.now,
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
}

/** Returns the way to stop listening. */
function listen(reporter: HerdrReporter): () => void {
  const onStop = async (): Promise<void> => {
    const alone = process.listenerCount('SIGTSTP') === 1;
    await reporter.suspend();
    if (alone) process.kill(process.pid, 'SIGSTOP');
  };
  const onStopSignal = (): void => void onStop();
  process.on('SIGTSTP', onStopSignal);
  process.on('SIGCONT', reporter.resume);
  process.on('exit', reporter.releaseAtOnce);
  return () => {
    process.off('SIGTSTP', onStopSignal);
    process.off('SIGCONT', reporter.resume);
    process.off('exit', reporter.releaseAtOnce);
  };
}
