// Notes in the journal what herdr could not be told, once for each reason.
import type { Journal } from '../journal/entry.ts';
import type { CallOutcome } from './call.ts';

export interface FailedCall {
  /** herdr's own word for what was asked, such as `report-agent`. */
  readonly call: string;
  readonly pane: string;
  /** The lifecycle event that led to it. */
  readonly event: string;
}

/** Characters of a reason that the journal keeps. */
const detailLength = 500;

/**
 * A herdr that is stuck or gone fails all calls the same way: the line is written again only after the call worked in
 * between or failed for another reason.
 */
export function createFailureLog(): (
  made: FailedCall,
  outcome: CallOutcome,
  journal: Pick<Journal, 'append'> | undefined,
) => void {
  const said = new Map<string, string>();
  return ({ call, pane, event }, outcome, journal) => {
    if (outcome.ok) {
      said.delete(call);
      return;
    }
    const known = [...said.values()].includes(outcome.reason);
    said.set(call, outcome.reason);
    if (known) return;
    journal?.append({
      kind: 'hook_error',
      event,
      hook: 'herdr',
      source: `pane ${call} ${pane}`,
      cause: 'herdr',
      ...(outcome.exit !== undefined && { exit: outcome.exit }),
      detail: outcome.reason.slice(0, detailLength),
    });
  };
}
