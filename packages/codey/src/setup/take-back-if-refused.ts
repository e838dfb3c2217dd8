// Asks the ConfigChange hooks about a file that was saved outside a session, and takes back what they refuse.
import { takeBackSetting, type WriteResult } from '@codey/hooks';
import type { ChangedSettings, SetupHooks } from './hooks.ts';

export type Written = Extract<WriteResult, { kind: 'written' }>;

export interface Refusal {
  /** Goes on after “was ” or “were ”. */
  readonly message: string;
  /** The file is as it was: not so where somebody else changed it meanwhile. */
  readonly restored: boolean;
}

/** Undefined when what was written may stay. */
export async function takeBackIfRefused(
  written: Written,
  source: ChangedSettings,
  hooks: Pick<SetupHooks, 'askAboutChange'>,
): Promise<Refusal | undefined> {
  const { file } = written;
  const why = await hooks.askAboutChange(file, source);
  if (why === undefined) return undefined;
  const taken = await takeBackSetting(written);
  const restored = taken.kind === 'restored';
  return { message: `${why}; ${restored ? `${file} is as it was before` : taken.message}`, restored };
}
