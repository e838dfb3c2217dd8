// Notices that belong into a tab: while the screen is there nothing else may write to the terminal.
import type { Notices } from '../../terminal/notices.ts';
import type { TabEvent } from '../state/tab.ts';

export function noticesOf(tell: (event: TabEvent) => void): Notices {
  return {
    note: (text) => tell({ kind: 'said', tone: 'plain', text }),
    warn: (text) => tell({ kind: 'said', tone: 'warning', text }),
    fail: (text) => tell({ kind: 'said', tone: 'error', text }),
  };
}
