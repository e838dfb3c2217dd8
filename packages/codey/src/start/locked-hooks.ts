// Says which hooks run although `-no-hooks` was given.
import type { HookSnapshot } from '@codey/hooks';
import type { Notices } from '../terminal/notices.ts';

/** Who turned everything off must not find out from its effects that a machine-wide policy stayed on. */
export function sayHooksThatStay(
  { policy, lifecycle, switches }: HookSnapshot,
  notices: Pick<Notices, 'warn'>,
): void {
  if (!switches.noHooks || switches.lockedFile === undefined) return;
  const { lockedFile } = switches;
  const staying = [...policy, ...lifecycle].filter(({ source }) => source.file === lockedFile).length;
  if (staying === 0) return;
  const hooks = staying === 1 ? 'hook' : `${staying} hooks`;
  notices.warn(`-no-hooks leaves the ${hooks} of ${lockedFile} on: only root can turn them off`);
}
