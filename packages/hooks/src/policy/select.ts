// Which hooks of an event run for this payload, and why each of the others does not.
import { type CallView, matchRule } from '../condition/match.ts';
import type { HookDefinition } from '../config/hook.ts';
import type { HookSnapshot } from '../config/snapshot.ts';
import { whySwitchedOff } from '../config/switched-off.ts';
import type { TrustPort } from '../trust/trust.ts';
import type { PolicyEventName } from './catalogue.ts';
import { silent } from './decision.ts';
import { heldBack } from './held-back.ts';
import type { OncePort } from './once.ts';
import type { SkipReason } from './outcome.ts';
import type { HookReport } from './report.ts';

/** A hook with what became of it before it ran. Keeps config order. */
export type Selected =
  | { readonly kind: 'run'; readonly hook: HookDefinition }
  | { readonly kind: 'settled'; readonly report: HookReport };

export interface SelectRequest {
  readonly event: PolicyEventName;
  /** What a hook's matcher is tested on; null where there is nothing and every matcher fits. */
  readonly matchValue: (hook: HookDefinition) => string | null;
  /** Where hooks would run. */
  readonly workspace: string;
  /** The call the event is about; absent where it is about none. */
  readonly view: CallView | undefined;
  /** Depth of hooks this program runs inside: from 1 on only managed hooks run. */
  readonly depth: number;
  /** Names the dispatch, so that `once` is spent by it and not by being asked again. */
  readonly dispatch: string;
}

export interface SelectPorts {
  readonly trust: TrustPort;
  readonly once: OncePort;
}

/**
 * The order of the questions is part of the contract: switches, matcher, `if`, trust, `once`, and only then
 * duplicates, so that a copy that does not run never hides one that does.
 */
export async function select(
  hooks: readonly HookDefinition[],
  snapshot: HookSnapshot,
  request: SelectRequest,
  ports: SelectPorts,
): Promise<readonly Selected[]> {
  const matched = hooks.map((hook) => matchHook(hook, snapshot, request));
  if (matched.every((entry) => entry.kind === 'settled')) return matched;
  const trusted = await Promise.all(matched.map((entry) => checkTrust(entry, request, ports.trust)));
  return dropDuplicates(trusted.map((entry) => claimOnce(entry, request, ports.once)));
}

/** The part that needs neither disk nor session: what `hooks list` and `validate` can also ask. */
function matchHook(hook: HookDefinition, snapshot: HookSnapshot, request: SelectRequest): Selected {
  const off = whySwitchedOff(hook, snapshot.switches, request.depth);
  if (off !== undefined) return skip(hook, off);
  const matchValue = request.matchValue(hook);
  if (matchValue !== null && hook.matcher.test(matchValue) === 'no') return skip(hook, 'matcher');
  if (hook.condition !== undefined && request.view !== undefined) {
    if (matchRule(hook.condition, request.view, 'any') === 'no') return skip(hook, 'if');
  }
  return { kind: 'run', hook };
}

async function checkTrust(entry: Selected, request: SelectRequest, trust: TrustPort): Promise<Selected> {
  if (entry.kind === 'settled') return entry;
  const held = await heldBack(entry.hook, request.workspace, trust);
  return held === undefined ? entry : { kind: 'settled', report: held };
}

function claimOnce(entry: Selected, request: SelectRequest, once: OncePort): Selected {
  if (entry.kind === 'settled' || !entry.hook.once) return entry;
  return once.claim(entry.hook.identity, request.dispatch) ? entry : skip(entry.hook, 'once');
}

/** The first copy runs, with the longest time and the strictest failure mode that any copy asked for. */
function dropDuplicates(entries: readonly Selected[]): readonly Selected[] {
  const copies = new Map<string, HookDefinition[]>();
  for (const entry of entries) {
    if (entry.kind === 'settled') continue;
    const known = copies.get(entry.hook.identity);
    if (known === undefined) copies.set(entry.hook.identity, [entry.hook]);
    else known.push(entry.hook);
  }
  return entries.map((entry) => {
    if (entry.kind === 'settled') return entry;
    const same = copies.get(entry.hook.identity) ?? [];
    if (same.length === 1) return entry;
    if (same[0] !== entry.hook) return skip(entry.hook, 'duplicate');
    return { kind: 'run', hook: withStrictestOf(entry.hook, same) };
  });
}

function withStrictestOf(hook: HookDefinition, copies: readonly HookDefinition[]): HookDefinition {
  return {
    ...hook,
    timeoutMs: Math.max(...copies.map((copy) => copy.timeoutMs)),
    onFailure: copies.some((copy) => copy.onFailure === 'block') ? 'block' : 'pass',
  };
}

/** A hook that did not run, with the reason the journal and `/hooks` show. */
export function skip(hook: HookDefinition, why: SkipReason): Extract<Selected, { kind: 'settled' }> {
  return {
    kind: 'settled',
    report: { hook, outcome: { kind: 'skipped', why }, answer: silent, durationMs: 0 },
  };
}
