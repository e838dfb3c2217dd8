// A tab's session made of the program's own: what the screen asks for, done with what `openSession` gives.
import { openSessionStore } from '@codey/agent';
import type { RunCommandLine } from '../../cli/command-line.ts';
import { StartError } from '../../start/exit.ts';
import { type Opened, openSession } from '../../start/session.ts';
import { findProjectRoot } from '@codey/hooks';
import type { World } from '../../start/world.ts';
import type { Notices } from '../../terminal/notices.ts';
import { openHistory } from '../composer/history.ts';
import type { OpenedTab, OpenWhat, SessionHost, TabPorts, TabSession } from '../ports.ts';
import type { Clock } from '../screen/clock.ts';
import { knownModels } from './known-models.ts';
import { hookControl } from './hook-control.ts';

/** `cwd` absolute: where sessions of this program stand unless they were somewhere else. */
export async function createSessionHost(
  commandLine: RunCommandLine,
  world: World,
  clock: Clock,
): Promise<SessionHost> {
  const root = await findProjectRoot({
    start: commandLine.flags.cwd ?? world.cwd,
    ...(world.home !== undefined && { home: world.home }),
  });
  return {
    open: (what, tab) => openTab(what, commandLine, { ...world, notices: noticesOf(tab) }, tab, clock),
    sessions: () =>
      openSessionStore({
        projectRoot: root,
        pid: world.pid,
        now: Date.now,
        onNotice: () => {},
        ...(world.home !== undefined && { home: world.home }),
      }).list(),
    history: openHistory(world.home, root),
  };
}

async function openTab(
  what: OpenWhat,
  commandLine: RunCommandLine,
  world: World,
  tab: TabPorts,
  clock: Clock,
): Promise<OpenedTab> {
  const opened = await openSession(
    { ...commandLine, open: what.kind === 'new' ? { kind: 'new' } : what },
    world,
    {
      onEvent: (event) => tab.tell({ kind: 'session', event }),
      onHookNotice: (notice) => tab.tell({ kind: 'hook-notice', notice }),
      observer: {
        started: ({ runId, label, hook }) =>
          tab.tell({
            kind: 'hook-started',
            run: {
              runId,
              label,
              event: hook.event,
              since: clock.now(),
              ...('statusMessage' in hook &&
                hook.statusMessage !== undefined && { status: hook.statusMessage }),
            },
          }),
        ended: ({ runId }) => tab.tell({ kind: 'hook-ended', runId }),
      },
      wrapJournal: (journal) => ({
        ...journal,
        append(entry) {
          tab.tell({ kind: 'journal', entry });
          journal.append(entry);
        },
      }),
      human: tab.human,
      ...(what.kind === 'new' && what.cleared === true && { cleared: true }),
    },
  );
  if (opened.started.kind === 'blocked') {
    await opened.finish();
    return { kind: 'blocked', reason: opened.started.reason };
  }
  return { kind: 'open', session: tabSession(opened.started.session, opened, commandLine, world) };
}

type Live = Extract<Opened['started'], { kind: 'open' }>['session'];

function tabSession(live: Live, opened: Opened, commandLine: RunCommandLine, world: World): TabSession {
  const { project, permissions, finish } = opened;
  let { model } = opened;
  let lastInput = 0;
  return {
    facts() {
      const { name, cwd } = live.state();
      return {
        id: live.id,
        model: model.id,
        root: project.root,
        cwd,
        mode: permissions.current().mode,
        ...(name !== undefined && { name }),
        ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
      };
    },
    messages: () => live.state().messages.get('main') ?? [],
    tokens() {
      const { usage } = live.state();
      return { ...usage, lastInput };
    },
    async prompt(text) {
      const outcome = await live.prompt(text);
      lastInput = outcome.usage.input;
      return outcome;
    },
    interrupt: live.interrupt,
    pause: live.pause,
    resume: live.resume,
    rename: live.rename,
    models: () => knownModels(project.settings, world.environment, model.id),
    async useModel(id) {
      try {
        model = await opened.openModel(id);
        live.useModel(model);
        return undefined;
      } catch (error) {
        if (error instanceof StartError) return error.message;
        throw error;
      }
    },
    useMode: permissions.setMode,
    shell: live.shell,
    hooks: hookControl(live, project, commandLine, world),
    async close(leaving) {
      await live.close(leaving);
      await finish();
    },
  };
}

/** Notices of a session belong into its tab: while the screen is there nothing else may write to the terminal. */
function noticesOf(tab: TabPorts): Notices {
  return {
    note: (text) => tab.tell({ kind: 'said', tone: 'plain', text }),
    warn: (text) => tab.tell({ kind: 'said', tone: 'warning', text }),
    fail: (text) => tab.tell({ kind: 'said', tone: 'error', text }),
  };
}
