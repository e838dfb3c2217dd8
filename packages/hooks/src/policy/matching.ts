// Which hooks of an event fit a match value: decided once for each value and kept as long as the snapshot.
import type { HookDefinition } from '../config/hook.ts';
import type { Switches } from '../config/snapshot.ts';
import { whySwitchedOff } from '../config/switched-off.ts';
import type { PolicyEventName } from './catalogue.ts';
import type { HookReport } from './report.ts';
import { type Selected, skip } from './select.ts';

/** The hooks of one event as far as switches and matchers decide: what needs neither the payload's rest nor a disk. */
export interface Matched {
  /** In config order. */
  readonly entries: readonly Selected[];
  /** Set where no hook is left to ask: their reports, the same array each time. */
  readonly nobody?: readonly HookReport[];
}

/** `foreignValue` is asked where the event itself has no match value: a dialect may give its hooks one. */
export type Matching = (
  event: PolicyEventName,
  matchValue: string | null,
  foreignValue: (hook: HookDefinition) => string | null,
) => Matched;

/** Match values such as file names have no end; older ones are decided again. */
const keptValues = 256;

export function createMatching(
  hooksOf: (event: PolicyEventName) => readonly HookDefinition[],
  switches: Switches,
  depth: number,
): Matching {
  const kept = new Map<PolicyEventName, Map<string | null, Matched>>();
  return (event, matchValue, foreignValue) => {
    const hooks = hooksOf(event);
    if (matchValue === null && hooks.some(({ dialect }) => dialect !== 'native')) {
      return match(hooks, foreignValue, switches, depth);
    }
    const ofEvent = kept.get(event) ?? new Map<string | null, Matched>();
    kept.set(event, ofEvent);
    const known = ofEvent.get(matchValue);
    if (known !== undefined) return known;
    if (ofEvent.size >= keptValues) ofEvent.clear();
    const matched = match(hooks, () => matchValue, switches, depth);
    ofEvent.set(matchValue, matched);
    return matched;
  };
}

function match(
  hooks: readonly HookDefinition[],
  matchValue: (hook: HookDefinition) => string | null,
  switches: Switches,
  depth: number,
): Matched {
  const entries = hooks.map((hook): Selected => {
    const off = whySwitchedOff(hook, switches, depth);
    if (off !== undefined) return skip(hook, off);
    const value = matchValue(hook);
    if (value !== null && hook.matcher.test(value) === 'no') return skip(hook, 'matcher');
    return { kind: 'run', hook };
  });
  const reports = entries.flatMap((entry) => (entry.kind === 'settled' ? [entry.report] : []));
  return { entries, ...(reports.length === entries.length && { nobody: reports }) };
}
