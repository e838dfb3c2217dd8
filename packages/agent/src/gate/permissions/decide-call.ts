// Gathers what is known about one call and hands it to the ladder.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type MergedVerdict, sayReasons } from '@codey/hooks';
import type { AgentScope, GateCall } from '../../loop/scope.ts';
import { type CallFacts, decide, type Permission } from './decide.ts';
import { followPath } from './follow-path.ts';
import { leadsInside } from './leads-inside.ts';
import { obeysOwnRepository } from './own-repository.ts';
import { findProtected } from './protected-paths.ts';
import { patternFor } from './remembered.ts';
import type { PermissionState } from './state.ts';

type Ask = Omit<Extract<Permission, { kind: 'ask' }>, 'rememberable'>;

export type PermissionDecision =
  | Exclude<Permission, { kind: 'ask' }>
  | (Ask & { readonly rememberable: false })
  /** `pattern`: the rule that a lasting yes would remember. */
  | (Ask & { readonly rememberable: true; readonly pattern: string });

/** `verdict` is PreToolUse's for the input the call now has. */
export function decideCall(
  call: Pick<GateCall, 'tool' | 'input' | 'view'>,
  verdict: MergedVerdict,
  agent: Pick<AgentScope, 'workspace' | 'cwd'>,
  state: PermissionState,
): PermissionDecision {
  const cwd = directoryOf(call, agent.cwd);
  const roots = [agent.workspace, ...state.extraDirs];
  const permission = decide({
    mode: state.mode,
    tool: call.tool,
    view: call.view,
    rules: state.rules,
    hook: hookAnswer(verdict),
    protectedPath: findProtected(call.view, state.protectedPaths, { cwd, follow: followPath }),
    cwd,
    roots,
    ownGit: (directory) => obeysOwnRepository(directory, roots),
    leadsInside: (path) => leadsInside(path, roots),
    isFolder,
  });
  if (permission.kind !== 'ask') return permission;
  const pattern = permission.rememberable ? patternFor(call.view) : undefined;
  return pattern === undefined
    ? { ...permission, rememberable: false }
    : { ...permission, rememberable: true, pattern };
}

/** A command may say in its input where it wants to run. */
function directoryOf({ view, input: { cwd: asked } }: Pick<GateCall, 'view' | 'input'>, cwd: string): string {
  return view.subject.kind === 'command' && typeof asked === 'string' ? resolve(cwd, asked) : cwd;
}

/** What cannot be looked at may be one. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return true;
  }
}

function hookAnswer(verdict: MergedVerdict): CallFacts['hook'] {
  switch (verdict.kind) {
    case 'allow':
    case 'ask':
    case 'deny':
      return { kind: verdict.kind, reason: sayReasons(verdict.reasons) };
    case 'none':
    case 'continue':
    case 'cancelled':
      return { kind: 'none', reason: '' };
  }
}
