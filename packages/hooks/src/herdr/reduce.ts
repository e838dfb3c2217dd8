// Many tabs and agents, one pane: what a person scanning herdr's sidebar should see of them.
import type { LifecycleEvent } from '../lifecycle/catalogue.ts';

/** What one codey has open in its pane. A value: every change makes a new one. */
export interface PaneState {
  /** In the order in which they were opened. */
  readonly tabs: readonly Tab[];
  /** Open prompts of all agents of all tabs, the oldest first. */
  readonly prompts: readonly OpenPrompt[];
  /** The session whose tab is in view. */
  readonly visible?: string;
}

interface Tab {
  readonly session: string;
  /** `held`: paused at a turn boundary, so nobody works and nobody is waited for. */
  readonly run: 'none' | 'going' | 'held';
  /** Agents in the background are at work, whether the run that started them goes on or not. */
  readonly agentsWork: boolean;
}

interface OpenPrompt {
  readonly session: string;
  readonly agent: string;
  readonly message: string;
}

/** The one state the pane is in, and the session that puts it there. */
export type PaneReport =
  | { readonly state: 'blocked'; readonly session: string; readonly message: string }
  | { readonly state: 'working' | 'idle'; readonly session: string };

export type PaneChange =
  | { readonly kind: 'opened'; readonly session: string }
  | { readonly kind: 'shown'; readonly session: string }
  | { readonly kind: 'agents'; readonly session: string; readonly atWork: boolean }
  | { readonly kind: 'event'; readonly event: LifecycleEvent };

export const emptyPane: PaneState = { tabs: [], prompts: [] };

/**
 * Blocked beats working beats idle. The session is the oldest open prompt's, else that of a working tab (the visible one,
 * if it works), else the visible tab's. Undefined while no tab is open: then there is nothing to say.
 */
export function paneReport({ tabs, prompts, visible }: PaneState): PaneReport | undefined {
  const [prompt] = prompts;
  if (prompt !== undefined) return { state: 'blocked', session: prompt.session, message: prompt.message };
  const inView = tabs.find(({ session }) => session === visible) ?? tabs[0];
  if (inView === undefined) return undefined;
  const working = works(inView) ? inView : tabs.find(works);
  if (working !== undefined) return { state: 'working', session: working.session };
  return { state: 'idle', session: inView.session };
}

function works({ run, agentsWork }: Tab): boolean {
  return run === 'going' || agentsWork;
}

/** Whether herdr would be told the same again. */
export function sameReport(one: PaneReport | undefined, other: PaneReport | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.state === other.state && one.session === other.session && messageOf(one) === messageOf(other);
}

export function messageOf(report: PaneReport): string {
  return report.state === 'blocked' ? report.message : '';
}

/** Gives the same value back when nothing of it changed. */
export function changePane(pane: PaneState, change: PaneChange): PaneState {
  switch (change.kind) {
    case 'opened':
      return isOpen(pane, change.session)
        ? pane
        : { ...pane, tabs: [...pane.tabs, { session: change.session, run: 'none', agentsWork: false }] };
    case 'shown':
      return pane.visible === change.session ? pane : { ...pane, visible: change.session };
    case 'agents': {
      const { session, atWork } = change;
      const changes = pane.tabs.some((tab) => tab.session === session && tab.agentsWork !== atWork);
      return changes ? withTab(pane, session, { agentsWork: atWork }) : pane;
    }
    case 'event':
      return isOpen(pane, change.event.session) ? applyEvent(pane, change.event) : pane;
  }
}

function applyEvent(pane: PaneState, event: LifecycleEvent): PaneState {
  const { session, agent } = event;
  switch (event.event) {
    case 'run_start':
    case 'resumed':
      return withTab(pane, session, { run: 'going' });
    case 'paused':
      return withTab(pane, session, { run: 'held' });
    case 'run_end':
      // Prompts stay: an agent in the background may wait long after the run that started it has ended.
      return withTab(pane, session, { run: 'none' });
    case 'blocked':
      return {
        ...pane,
        prompts: [...withoutPrompt(pane, session, agent), { session, agent, message: event.message }],
      };
    case 'unblocked':
      return { ...pane, prompts: withoutPrompt(pane, session, agent) };
    case 'session_end':
      return {
        ...pane,
        tabs: pane.tabs.filter((tab) => tab.session !== session),
        prompts: pane.prompts.filter((prompt) => prompt.session !== session),
      };
    case 'session_start':
    case 'turn_start':
    case 'tool_start':
    case 'tool_result':
      return pane;
  }
}

function isOpen(pane: PaneState, session: string): boolean {
  return pane.tabs.some((tab) => tab.session === session);
}

function withTab(pane: PaneState, session: string, changed: Partial<Tab>): PaneState {
  return { ...pane, tabs: pane.tabs.map((tab) => (tab.session === session ? { ...tab, ...changed } : tab)) };
}

/** An agent has one open prompt at a time. */
function withoutPrompt(pane: PaneState, session: string, agent: string): readonly OpenPrompt[] {
  return pane.prompts.filter((prompt) => prompt.session !== session || prompt.agent !== agent);
}
