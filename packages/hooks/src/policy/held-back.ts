// Keeps a hook from starting that the user has not agreed to as it is now. Asked at selection and again before the start.
import type { HookDefinition } from '../config/hook.ts';
import type { TrustPort } from '../trust/trust.ts';
import { type Answer, silent } from './decision.ts';
import { isGuarded } from './guarded.ts';
import type { HookReport } from './report.ts';

/** Undefined when it may start. */
export async function heldBack(
  hook: HookDefinition,
  workspace: string,
  trust: TrustPort,
): Promise<HookReport | undefined> {
  const state = await trust.check(hook, workspace);
  switch (state.kind) {
    case 'trusted':
      return undefined;
    case 'untrusted':
      return report(hook, 'untrusted', silent);
    case 'modified':
      return report(hook, 'modified', silent);
    case 'changed':
      return isGuarded(hook.event)
        ? // A guard that changed under a running session neither runs nor is passed over: a human decides.
          { ...report(hook, 'modified', askAbout(state.what)), note: 'answered ask' }
        : { ...report(hook, 'modified', silent), note: 'changed since the session began' };
  }
}

function askAbout(what: string): Answer {
  return { ...silent, verdict: { kind: 'ask', reason: what } };
}

function report(hook: HookDefinition, why: 'untrusted' | 'modified', answer: Answer): HookReport {
  return { hook, outcome: { kind: 'skipped', why }, answer, durationMs: 0 };
}
