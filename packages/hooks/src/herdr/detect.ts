// Whether this process runs in a pane of herdr: three variables, and nothing else is looked at.
import { sessionMarkers } from '../runners/environment.ts';

/** The pane of herdr that a program runs in. */
export interface HerdrPane {
  /** As herdr gave it; an opaque word such as `w1:p1`. */
  readonly id: string;
  /** The herdr that owns the pane: path of its program. */
  readonly program: string;
}

/**
 * Undefined outside a pane. All three are required: a `HERDR_ENV` that outlived its pane would have us report to nobody,
 * slowly, for ever.
 */
export function detectHerdr(
  environment: Readonly<Record<string, string | undefined>>,
): HerdrPane | undefined {
  const { HERDR_ENV, HERDR_PANE_ID, HERDR_BIN_PATH } = environment;
  if (HERDR_ENV !== '1' || !HERDR_PANE_ID || !HERDR_BIN_PATH) return undefined;
  return { id: HERDR_PANE_ID, program: HERDR_BIN_PATH };
}

/**
 * What the children of a session in a pane carry, whether or not that session reports: a codey among them must not speak
 * for the pane. Empty outside a pane.
 */
export function paneMarker(
  environment: Readonly<Record<string, string | undefined>>,
  sessionId: string,
): Readonly<Record<string, string>> {
  const pane = detectHerdr(environment);
  return pane === undefined ? {} : sessionMarkers({ sessionId, herdrPane: pane.id });
}
