// A tab's session made of the program's own: what the screen asks for, done with what `openSession` gives.
import { type LiveSession, openSessionStore, type StartOptions } from '@codey/agent';
import type { ForkServer } from '@codey/hooks';
import type { RunCommandLine } from '../../cli/command-line.ts';
import type { SetupEnd } from '../../setup/open-wizard.ts';
import { findRoot } from '../../start/find-root.ts';
import { StepMissing } from '../../start/model.ts';
import { openSession } from '../../start/session.ts';
import type { World } from '../../start/world.ts';
import type { Notices } from '../../terminal/notices.ts';
import { openHistory } from '../composer/history.ts';
import type { OpenedTab, OpenWhat, SessionHost, TabPorts, TabSession } from '../ports.ts';
import type { Clock } from '../screen/clock.ts';
import { createProjectQuestions, type ProjectQuestions } from './ask-about-project.ts';
import { offerSettings } from './offer-settings.ts';
import { noticesOf } from './tab-notices.ts';
import { tabSession } from './tab-session.ts';
import { tellAgents } from './tell-agents.ts';

export interface HostOptions {
  readonly commandLine: RunCommandLine;
  readonly world: World;
  readonly clock: Clock;
  readonly signals: NonNullable<StartOptions['signals']>;
  /** Of all tabs; whoever made it closes it. */
  readonly forks: ForkServer;
  /**
   * The wizard, for a session that finds no model named; what it has to say goes where the notices say. Without one the
   * session opens and tells what is missing.
   */
  readonly setUp?: (notices: Notices) => Promise<SetupEnd>;
  /** Told of each session that was opened. */
  readonly opened?: (session: LiveSession) => void;
}

export async function createSessionHost(options: HostOptions): Promise<SessionHost> {
  const { commandLine, world } = options;
  const { home } = world;
  const root = await findRoot(commandLine.flags.cwd, world);
  const questions = createProjectQuestions();
  const store = openSessionStore({
    projectRoot: root,
    pid: world.pid,
    now: Date.now,
    // A list of sessions has nothing to say that opening one does not say.
    onNotice: () => {},
    ...(home !== undefined && { home }),
  });
  return {
    open: (what, tab) => openTab(what, tab, options, questions),
    sessions: store.list,
    history: openHistory(home, root),
  };
}

async function openTab(
  what: OpenWhat,
  tab: TabPorts,
  { commandLine, world: outside, clock, signals, forks, opened: tellOpened, setUp }: HostOptions,
  questions: ProjectQuestions,
): Promise<OpenedTab> {
  const world = { ...outside, notices: noticesOf(tab.tell) };
  let session: TabSession | undefined;
  const wanted: RunCommandLine = { ...commandLine, open: what.kind === 'new' ? { kind: 'new' } : what };
  const ports: Parameters<typeof openSession>[2] = {
    openProject: (flags, there) => questions.open(flags, there, tab),
    onEvent: (event) => tab.tell({ kind: 'session', event }),
    onHookNotice: (notice) => tab.tell({ kind: 'hook-notice', notice }),
    observer: observerOf(tab, clock),
    wrapJournal: (journal) => ({
      ...journal,
      append(entry) {
        tab.tell({ kind: 'journal', entry });
        journal.append(entry);
      },
    }),
    human: tab.human,
    forms: tab.forms,
    signals,
    forks,
    withoutModel: setUp === undefined ? 'tell' : 'wizard',
    async betweenTurns(boundary, settings) {
      await offerSettings(boundary, settings, tab);
      // Its mode may be another one.
      if (session !== undefined) tab.tell({ kind: 'facts', facts: session.facts() });
    },
    ...(what.kind === 'new' && what.cleared === true && { cleared: true }),
  };
  const opened = await openSession(wanted, world, ports).catch(async (error: unknown) => {
    if (!(error instanceof StepMissing) || error.step !== 'model') throw error;
    const end = await setUp?.(world.notices);
    // What could not be done, such as a download, does not undo the rest.
    if (end?.kind !== 'done' && end?.kind !== 'failed') throw error;
    return openSession(wanted, world, ports);
  });
  if (opened.started.kind === 'open') {
    const live = opened.started.session;
    tellOpened?.(live);
    tellAgents(live.agents, tab);
    session = tabSession(live, opened, world, tab);
    return { kind: 'open', session };
  }
  await opened.finish();
  return { kind: 'blocked', reason: opened.started.reason };
}

function observerOf(tab: TabPorts, clock: Clock): Parameters<typeof openSession>[2]['observer'] {
  return {
    started({ runId, label, hook }) {
      const status = 'statusMessage' in hook ? hook.statusMessage : undefined;
      const run = { runId, label, event: hook.event, since: clock.now() };
      tab.tell({ kind: 'hook-started', run: { ...run, ...(status !== undefined && { status }) } });
    },
    ended: ({ runId }) => tab.tell({ kind: 'hook-ended', runId }),
  };
}
