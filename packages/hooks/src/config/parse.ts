// The text of one settings file, turned into values, hooks and everything that is wrong with it.
import { withinReach } from './allowed.ts';
import {
  type EntryPath,
  parseDocument,
  pathAt,
  properties,
  replacedProperties,
  type SettingsDocument,
} from './document.ts';
import { Findings, inFileOrder, type Origin } from './findings.ts';
import { isEventName, type ParsedHooks, parseHooksSection } from './hooks-section.ts';
import { type FileScope, isFromRepository } from './scopes.ts';
import type { SettingsFile } from './settings.ts';
import { describe } from './shape.ts';
import { parseValues, placeName } from './values.ts';

export interface ParseOptions {
  readonly text: string;
  readonly scope: FileScope;
  /** Absolute path, for messages and sources. */
  readonly file: string;
}

/** What the text says. Where the file lies on disk, and who owns it, is for the loader to add. */
export type ParsedSettings = Omit<SettingsFile, 'locked'>;

/**
 * Never throws: every problem is in the result, in file order. A file with nothing but blanks and comments says nothing
 * and is fine.
 */
export function parseSettings({ text, scope, file }: ParseOptions): ParsedSettings {
  const origin: Origin = { scope, file, fromRepository: isFromRepository(scope) };
  const document = parseDocument(text);
  const findings = new Findings(origin, document.place);
  const root = readableRoot(document, findings);
  const { values, places } =
    root === undefined ? { values: {}, places: new Map() } : parseValues(root, findings);
  const hooksNode =
    root === undefined ? undefined : properties(root).find(({ key }) => key === 'hooks')?.value;
  const hooks = hooksNode === undefined ? noHooks : parseHooksSection(hooksNode, { origin, findings });
  const reach = withinReach(values, scope);
  return {
    scope,
    file,
    values: reach.values,
    places,
    hooks: hooks.policy,
    lifecycle: hooks.lifecycle,
    problems: inFileOrder(findings.problems),
    warnings: inFileOrder([
      ...findings.warnings,
      ...reach.ignored.map(({ path, message }) => {
        const place = places.get(placeName(path)) ?? { line: 1, column: 1 };
        return { file, ...place, scope, message, area: 'other' as const };
      }),
    ]),
  };
}

export interface ContributedOptions {
  /** A document `{"hooks": {…}}`, as in a plugin's `hooks/hooks.json`. */
  readonly text: string;
  readonly origin: Origin;
  /**
   * Where the entry at a path such as `['hooks', 'PreToolUse', 0]` is said to stand, if the text is not what the user
   * wrote, as for the frontmatter of a skill.
   */
  readonly placeOf?: (path: EntryPath) => { readonly line: number; readonly column: number };
}

/**
 * The hooks of a plugin or skill. Its good entries run although others are bad: the host warns of the problems and
 * refuses nothing.
 */
export function parseContributedHooks({ text, origin, placeOf }: ContributedOptions): ParsedHooks & {
  readonly problems: ParsedSettings['problems'];
  readonly warnings: ParsedSettings['warnings'];
} {
  const document = parseDocument(text);
  const findings = new Findings(
    origin,
    placeOf === undefined ? document.place : (offset) => placeOf(pathAt(document.root, offset)),
  );
  const root = readableRoot(document, findings);
  if (root !== undefined) warnOfOtherKeys(root, findings);
  const section = root === undefined ? undefined : properties(root).find(({ key }) => key === 'hooks')?.value;
  const hooks = section === undefined ? noHooks : parseHooksSection(section, { origin, findings });
  return { ...hooks, problems: inFileOrder(findings.problems), warnings: inFileOrder(findings.warnings) };
}

/** Beside `hooks` a contributor's file may describe itself; events that stand there would never fire. */
function warnOfOtherKeys(root: NonNullable<SettingsDocument['root']>, findings: Findings): void {
  for (const { key, keyNode } of properties(root)) {
    if (!isEventName(key)) continue;
    findings.problem('hooks', keyNode, `${key} stands outside "hooks"`, `write {"hooks": {"${key}": … }}`);
  }
}

const noHooks: ParsedHooks = { policy: [], lifecycle: [] };

/** The object at the top, after reporting what the text itself suffers from. */
function readableRoot(
  { root, syntax, readable }: SettingsDocument,
  findings: Findings,
): SettingsDocument['root'] {
  for (const { offset, message, hint } of syntax) findings.problem('syntax', { offset }, message, hint);
  if (root === undefined || !readable) return undefined;
  if (root.type !== 'object') {
    findings.problem(
      'syntax',
      root,
      `settings must be an object, not ${describe(root)}`,
      'such as {"hooks": { … }}',
    );
    return undefined;
  }
  for (const { key, keyNode } of replacedProperties(root)) {
    findings.warning('other', keyNode, `"${key}" stands here twice; only the last one counts`);
  }
  return root;
}
