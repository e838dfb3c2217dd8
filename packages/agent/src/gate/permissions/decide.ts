// Whether a call runs, is refused or is asked about: the ladder of guards, permissions and modes, as one pure function.
import { type CallView, isInside, type PermissionMode } from '@codey/hooks';
import type { Access } from '../../tools/tool.ts';
import { isReadingCommand, isReadingLine } from './reading-commands.ts';
import { allowedBy, describeRule, findGuard, type PermissionRules, type SpeakingRule } from './rules.ts';

export interface CallFacts {
  readonly mode: PermissionMode;
  readonly tool: { readonly name: string; readonly access: Access };
  readonly view: CallView;
  readonly rules: PermissionRules;
  /**
   * What PreToolUse came to for the final input. An allow whose `if` covers only part of a command line has become
   * `none` before it gets here.
   */
  readonly hook: { readonly kind: 'none' | 'allow' | 'ask' | 'deny'; readonly reason: string };
  /** What the call names that only a human may let it touch, as half a sentence. */
  readonly protectedPath: string | undefined;
  /** Directory the call runs in. */
  readonly cwd: string;
  /** The workspace and what was added to it; all absolute and without links. */
  readonly roots: readonly string[];
  /** Whether git in that directory obeys the workspace's own repository and none inside it. */
  readonly ownGit: (directory: string) => boolean;
  /** Whether an absolute path, `..` still in it, stays in the roots when it is followed as the kernel does. */
  readonly leadsInside: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
}

export type Permission =
  /** `agreed`: somebody said yes to this very call, be it in a rule; not so where only its kind lets it run. */
  | { readonly kind: 'allow'; readonly by: string; readonly agreed: boolean }
  | { readonly kind: 'deny'; readonly by: string; readonly reason: string }
  | {
      readonly kind: 'ask';
      readonly by: string;
      readonly reason: string;
      /** A PermissionRequest hook may deny it but not allow it. */
      readonly humanOnly: boolean;
      /** A human's earlier yes may stand for a new one. */
      readonly rememberable: boolean;
    };

/**
 * From the top, the first that speaks decides:
 * 1. a hook's deny, then a deny rule;
 * 2. plan mode refuses all that does not only read: nothing below lifts that;
 * 3. a protected path, a hook's ask, an ask rule: a human decides, whatever allows the call elsewhere;
 * 4. a hook's allow, allow rules, and what the mode lets run;
 * 5. what is left is asked about.
 */
export function decide(facts: CallFacts): Permission {
  return refuse(facts) ?? guard(facts) ?? allow(facts) ?? askByMode(facts);
}

function refuse({ hook, rules, view, mode, ...facts }: CallFacts): Permission | undefined {
  if (hook.kind === 'deny') return { kind: 'deny', by: 'PreToolUse', reason: hook.reason };
  const rule = findGuard(rules.deny, view);
  if (rule !== undefined)
    return { kind: 'deny', by: 'deny rule', reason: `denied by ${sayRule(rule, view)}` };
  if (mode !== 'plan' || facts.tool.access === 'free' || facts.tool.access === 'read') return undefined;
  if (view.subject.kind === 'command' && isReadingLine(view.subject, facts)) return undefined;
  return {
    kind: 'deny',
    by: 'mode plan',
    reason: `in mode plan only reading runs, and ${facts.tool.name} may do more`,
  };
}

function guard({ protectedPath, hook, rules, view }: CallFacts): Permission | undefined {
  const rule = findGuard(rules.ask, view);
  const reasons = [
    ...(protectedPath === undefined ? [] : [protectedPath]),
    ...(hook.kind === 'ask' ? [hook.reason] : []),
    ...(rule === undefined ? [] : [`${sayRule(rule, view)} asks`]),
  ];
  if (reasons.length === 0) return undefined;
  return {
    kind: 'ask',
    by: protectedPath !== undefined ? 'protected path' : hook.kind === 'ask' ? 'PreToolUse' : 'ask rule',
    reason: reasons.join('; '),
    humanOnly: true,
    rememberable: protectedPath === undefined,
  };
}

function allow({ hook, rules, view, mode, tool, ...place }: CallFacts): Permission | undefined {
  if (hook.kind === 'allow') return { kind: 'allow', by: 'PreToolUse', agreed: true };
  const { subject } = view;
  const reads = subject.kind === 'command' && isReadingLine(subject, place);
  if (!reads && rules.allow.length > 0) {
    const covered = allowedBy(
      rules.allow,
      view,
      (command) => subject.kind === 'command' && isReadingCommand(command, subject, place),
    );
    if (covered.kind === 'whole') return { kind: 'allow', by: 'allow rule', agreed: true };
  }
  const letsRun = { kind: 'allow', by: `mode ${mode}`, agreed: false } as const;
  if (mode === 'bypassPermissions' || tool.access === 'free') return letsRun;
  if (tool.access === 'read' && isInWorkspace(view, place.roots)) return letsRun;
  if (reads) return { ...letsRun, by: 'reading command' };
  return mode === 'acceptEdits' && tool.access === 'edit' && isInWorkspace(view, place.roots)
    ? letsRun
    : undefined;
}

/** Where the file really is counts, and a file whose place is unknown is outside. */
function isInWorkspace({ subject }: CallView, roots: readonly string[]): boolean {
  if (subject.kind !== 'path') return subject.kind === 'none';
  const absolute = subject.real.at(-1);
  return subject.complete && absolute !== undefined && isInside(absolute, roots);
}

function askByMode({ mode, tool, view, roots, rules, ...place }: CallFacts): Permission {
  const outside = view.subject.kind === 'path' && !isInWorkspace(view, roots);
  const ignored = view.subject.kind === 'command' ? ignoredAllow(rules, view, { ...place, roots }) : '';
  return {
    kind: 'ask',
    by: `mode ${mode}`,
    reason: `${tool.name} ${outside ? 'outside the workspace ' : ''}needs approval in mode ${mode}${ignored}`,
    humanOnly: false,
    rememberable: true,
  };
}

/** An allow that covers a part counts as none; whoever wrote it wants to know why. */
function ignoredAllow(
  rules: PermissionRules,
  view: CallView,
  place: Pick<CallFacts, 'cwd' | 'roots' | 'ownGit' | 'leadsInside' | 'isFolder'>,
): string {
  const fitting = rules.allow.filter((placed) => findGuard([placed], view) !== undefined);
  if (fitting.length === 0) return '';
  const { subject } = view;
  const covered = allowedBy(
    fitting,
    view,
    (command) => subject.kind === 'command' && isReadingCommand(command, subject, place),
  );
  return covered.kind === 'part' ? ` (allow ignored: ${covered.said})` : '';
}

function sayRule({ placed, certain }: SpeakingRule, view: CallView): string {
  const rule = describeRule(placed);
  if (certain) return rule;
  const { subject } = view;
  const parts = subject.kind === 'guessed' ? subject.subjects : [subject];
  const doubt = parts.flatMap((part) => (part.kind === 'command' ? part.doubts : []))[0];
  return `${rule}, which may fit: ${doubt ?? 'part of the call is known only when it runs'}`;
}
