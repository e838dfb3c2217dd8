// Which hooks of an event run for this payload, and why each of the others does not.
import { type CallView, matchRule } from '../condition/match.ts';
import type { HookDefinition } from '../config/hook.ts';
import type { TrustPort } from '../trust/trust.ts';
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
  /** The call the event is about; absent where it is about none. */
  readonly view: CallView | undefined;
  /** Where hooks would run. */
  readonly workspace: string;
  /** Names the dispatch, so that `once` is spent by it and not by being asked again. */
  readonly dispatch: string;
  /** Kinds of handlers that are not started in this rehearsal. */
  readonly notRehearsed: readonly HookDefinition['handler']['type'][];
}

export interface SelectPorts {
  readonly trust: TrustPort;
  readonly once: OncePort;
}

/**
 * The order of the questions is part of the contract: switches, matcher, `if`, trust, `once`, and only then
 * duplicates, so that a copy that does not run never hides one that does. `matched` has the first two behind it.
 */
export async function select(
  matched: readonly Selected[],
  request: SelectRequest,
  ports: SelectPorts,
): Promise<readonly Selected[]> {
  const fitting = matched.map((entry) => checkCondition(entry, request.view));
  const trusted = await Promise.all(fitting.map((entry) => checkTrust(entry, request, ports.trust)));
  const due = dropDuplicates(trusted.map((entry) => claimOnce(entry, request, ports.once)));
  return due.map((entry) => leaveOut(entry, request));
}

function checkCondition(entry: Selected, view: CallView | undefined): Selected {
  if (entry.kind === 'settled' || entry.hook.condition === undefined || view === undefined) return entry;
  return matchRule(entry.hook.condition, view, 'any') === 'no' ? skip(entry.hook, 'if') : entry;
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

/** Last of all: only what would have run is said to be left out by the rehearsal. */
function leaveOut(entry: Selected, { notRehearsed }: SelectRequest): Selected {
  if (entry.kind === 'settled' || !notRehearsed.includes(entry.hook.handler.type)) return entry;
  return skip(entry.hook, 'rehearsal');
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
