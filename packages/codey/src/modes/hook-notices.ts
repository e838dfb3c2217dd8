// What hooks want people to know, as lines on stderr.
import type { HookNotice, HookObserver } from '@codey/hooks';
import type { Notices } from '../terminal/notices.ts';
import type { Progress } from '../terminal/progress.ts';

export interface HookNoticePorts {
  readonly onHookNotice: (notice: HookNotice) => void;
  readonly observer: HookObserver;
}

/** Failures, messages, and the name of a hook that runs long while it runs. */
export function hookNotices(notices: Notices, progress: Progress): HookNoticePorts {
  const running = new Map<string, () => void>();
  return {
    onHookNotice(notice) {
      switch (notice.kind) {
        case 'failure':
        case 'held-back':
          return notices.warn(notice.sentence);
        case 'message':
          return notices.note(`${notice.text} (${notice.hook})`);
      }
    },
    observer: {
      started({ runId, label, hook }) {
        const status =
          'statusMessage' in hook && hook.statusMessage !== undefined ? `: ${hook.statusMessage}` : '';
        running.set(runId, progress.begin(`${hook.event} hook ${label}${status}`));
      },
      ended({ runId }) {
        running.get(runId)?.();
        running.delete(runId);
      },
    },
  };
}
