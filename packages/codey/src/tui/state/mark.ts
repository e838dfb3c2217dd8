// The one thing worth knowing about a tab from afar.
import { agentsAtWork, runningShell } from './at-work.ts';
import type { Tab } from './tab.ts';

export type Mark = 'blocked' | 'paused' | 'working' | 'unread' | 'idle';

/** Who needs the user comes first, then who goes on without. */
export function markOf(tab: Tab): Mark {
  if (tab.prompts.length > 0) return 'blocked';
  if (tab.pausing === 'held') return 'paused';
  if (tab.run !== undefined || tab.phase === 'opening' || tab.phase === 'closing') return 'working';
  if (agentsAtWork(tab).length > 0 || runningShell(tab) !== undefined) return 'working';
  return tab.unread ? 'unread' : 'idle';
}
