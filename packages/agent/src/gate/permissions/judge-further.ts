// What deny and ask rules say about files and addresses that a running call comes upon.
import { relative } from 'node:path';
import { type CallView, matchRule, namesOfUrl } from '@codey/hooks';
import type { Further } from '../../tools/tool.ts';
import { describeRule, findGuard, type PermissionRules } from './rules.ts';

/**
 * Why a call may not reach that as well, as half a sentence; undefined where it may. Only rules with a glob that did not
 * speak about the call itself: about what they said there, somebody decided.
 */
export function judgeFurther(
  view: CallView,
  rules: PermissionRules,
  workspace: string,
): (further: Further) => string | undefined {
  const silent = (placed: PermissionRules['deny'][number]) =>
    placed.rule.glob !== undefined && matchRule(placed.rule, view, 'any') === 'no';
  const deny = rules.deny.filter(silent);
  const ask = rules.ask.filter(silent);
  if (deny.length + ask.length === 0) return () => undefined;
  return (further) => {
    const found = { tool: view.tool, subject: subjectOf(further, workspace) };
    const denied = findGuard(deny, found);
    if (denied !== undefined) return `denied by ${describeRule(denied.placed)}`;
    const asking = findGuard(ask, found);
    return asking === undefined
      ? undefined
      : `${describeRule(asking.placed)} asks, so it needs a call of its own`;
  };
}

function subjectOf(further: Further, workspace: string): CallView['subject'] {
  if (further.kind === 'url') return { ...further, ...namesOfUrl(further.url) };
  const forms = further.names.flatMap((name) => [relative(workspace, name), name]);
  return { kind: 'path', forms, real: [], complete: true };
}
