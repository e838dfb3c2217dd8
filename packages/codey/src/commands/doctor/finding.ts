// One thing the doctor looked at, and what came of it.
import type { LoadedSettings } from '@codey/hooks';
import type { World } from '../../start/world.ts';

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly about: string;
  /** `problem` for what keeps something from working, `warning` for what may surprise. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly what: string;
  /** What to do about it. */
  readonly todo?: string;
}

export interface Patient {
  /** Real path of the project root. */
  readonly root: string;
  readonly loaded: LoadedSettings;
  readonly world: World;
}

export type Check = (patient: Patient) => Promise<readonly Finding[]>;
