// Which project the program is in, and what its settings come to for this start.
import { loadSkills, type Plugin, type Skill, stampSettings } from '@codey/agent';
import {
  checkStart,
  defaultWithheld,
  formatProblem,
  type HookSnapshot,
  loadClaudeHooks,
  type LoadedSettings,
  loadSettings,
  type NeverFires,
  type ParsedHooks,
  parseRule,
  type PermissionMode,
  type PlacedRule,
  resolveSettings,
  type Settings,
  takeSnapshot,
  type TrustCheck,
  type WatchedFiles,
} from '@codey/hooks';
import { StartError } from './exit.ts';
import { findStart, rootOf } from './find-root.ts';
import { locationsOf } from './locations.ts';
import { sayHooksThatStay } from './locked-hooks.ts';
import { openPlugins } from './plugins.ts';
import { openTrust, type TrustFacts } from './trust.ts';
import type { World } from './world.ts';

export interface ProjectFlags {
  readonly cwd?: string;
  readonly settings?: string;
  readonly noHooks: boolean;
  readonly noProjectHooks: boolean;
  readonly trustProjectHooks: boolean;
  readonly bare: boolean;
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly allowedTools: readonly string[];
}

export interface Project {
  /** What it was opened with: a user who was asked may have chosen other flags than those of the command line. */
  readonly flags: ProjectFlags;
  /** Real path. */
  readonly root: string;
  /** Real path of where the session stands. */
  readonly cwd: string;
  readonly loaded: LoadedSettings;
  /** Of the settings files before they were loaded, as `stampSettings` gives it. */
  readonly stamp?: string;
  readonly settings: Settings;
  readonly snapshot: HookSnapshot;
  readonly trust: TrustCheck;
  /** Hooks of other sources than settings files, those of skills that may come into use included. */
  readonly contributed: readonly ParsedHooks[];
  /** Those of them that are in force from the start: not those of skills. */
  readonly standing: readonly ParsedHooks[];
  /** Hooks of another agent's files for moments that do not come here. */
  readonly neverFires: readonly NeverFires[];
  /** Files that those hooks want watched from the start. */
  readonly watches: readonly WatchedFiles[];
  readonly plugins: readonly Plugin[];
  readonly skills: readonly Skill[];
}

/**
 * Throws StartError with every problem of every file when the settings do not let the program start. `command` is as in
 * `checkStart`.
 */
export async function openProject(flags: ProjectFlags, world: World, command?: string): Promise<Project> {
  const cwd = await findStart(flags.cwd, world);
  const root = await rootOf(cwd, world);
  const stamp = await stampSettings(locationsOf(root, flags.settings, world));
  const loaded = await loadProjectSettings(root, flags.settings, world);
  const refusal = checkStart(loaded, flags, command);
  if (refusal !== undefined) throw new StartError(refusal.text);
  sayWarnings(loaded, world);
  const { trust, plugins, standing, neverFires, watches } = await openStanding(
    { root, loaded, settingsFile: flags.settings, trustProjectHooks: flags.trustProjectHooks },
    world,
  );
  const skills = await openSkills(root, plugins, world);
  const ofSkills = skills.map(({ hooks }) => hooks);
  const contributed = [...standing, ...ofSkills];
  if (ofSkills.some(bringsHooks)) await trust.open({ loaded, contributed });
  const { snapshot, settings } = settle(loaded, { trust, standing }, flags);
  sayHooksThatStay(snapshot, world.notices);
  return {
    flags,
    root,
    cwd,
    loaded,
    ...(stamp !== undefined && { stamp }),
    settings,
    snapshot,
    trust,
    contributed,
    standing,
    neverFires,
    watches,
    plugins,
    skills,
  };
}

/** Whose hooks are in force from the start, and what the user has agreed to of them. */
export async function openStanding(
  facts: Omit<TrustFacts, 'contributed'>,
  world: World,
): Promise<Pick<Project, 'trust' | 'plugins' | 'standing' | 'neverFires' | 'watches'>> {
  const { root, loaded } = facts;
  const { hooks: foreign, neverFires, watches } = await loadForeignHooks(root, loaded, world);
  const trust = await openTrust({ ...facts, contributed: [foreign] }, world);
  const plugins = await openPlugins(loaded, trust, world);
  const standing = [foreign, ...plugins.map(({ hooks }) => hooks)];
  // Once more with what they bring; who may turn a plugin on was not known before.
  if (standing.some(bringsHooks)) await trust.open({ loaded, contributed: standing });
  return {
    trust,
    plugins,
    standing,
    neverFires: [...neverFires, ...plugins.flatMap((plugin) => plugin.neverFires)],
    watches: [...watches, ...plugins.flatMap((plugin) => plugin.watches)],
  };
}

/** What settings files come to with what the user has agreed to by now: at the start, and when they are read again. */
export function settle(
  loaded: LoadedSettings,
  { trust: { agreed }, standing }: Pick<Project, 'trust' | 'standing'>,
  flags: ProjectFlags,
): Pick<Project, 'snapshot' | 'settings'> {
  return {
    snapshot: takeSnapshot(loaded, { agreed, flags, contributed: standing, providerKeys: defaultWithheld }),
    settings: resolveSettings(loaded, {
      agreed,
      flags: {
        ...(flags.model !== undefined && { model: flags.model }),
        ...(flags.permissionMode !== undefined && { permissionMode: flags.permissionMode }),
        allow: flags.allowedTools.map(allowRule),
      },
    }),
  };
}

async function openSkills(root: string, plugins: readonly Plugin[], world: World): Promise<readonly Skill[]> {
  const { skills, problems } = await loadSkills({
    projectRoot: root,
    ...(world.home !== undefined && { home: world.home }),
    also: plugins.flatMap(({ skillFolders, fromRepository }) =>
      skillFolders.map((folder) => ({ folder, ...(fromRepository && { within: root }) })),
    ),
  });
  for (const { file, place, message } of problems) {
    world.notices.warn(
      place === undefined ? `skill ${file}: ${message}` : `${file}:${place.line}:${place.column}  ${message}`,
    );
  }
  return skills;
}

function bringsHooks({ policy, lifecycle }: ParsedHooks): boolean {
  return policy.length + lifecycle.length > 0;
}

/** Hooks in another agent's files run where the user's own settings say so; a repository cannot say it. */
async function loadForeignHooks(
  root: string,
  loaded: LoadedSettings,
  world: World,
): Promise<Pick<Project, 'neverFires' | 'watches'> & { readonly hooks: ParsedHooks }> {
  if (!resolveSettings(loaded, { agreed: () => false }).claudeHooks) {
    return { hooks: { policy: [], lifecycle: [] }, neverFires: [], watches: [] };
  }
  const { hooks, warnings, neverFires, watches } = await loadClaudeHooks({
    projectRoot: root,
    ...(world.home !== undefined && { home: world.home }),
  });
  for (const warning of warnings) world.notices.warn(formatProblem(warning));
  return { hooks: { policy: hooks, lifecycle: [] }, neverFires, watches };
}

export function loadProjectSettings(
  root: string,
  settingsFile: string | undefined,
  world: World,
): Promise<LoadedSettings> {
  return loadSettings(locationsOf(root, settingsFile, world));
}

function allowRule(text: string): PlacedRule {
  const parsed = parseRule(text);
  if (!parsed.ok)
    throw new StartError(
      `--allowed-tools "${text}": ${parsed.message}${parsed.hint === undefined ? '' : ` (${parsed.hint})`}`,
    );
  return {
    rule: parsed.rule,
    source: { scope: 'settings', file: '--allowed-tools', line: 0, column: 0, fromRepository: false },
  };
}

/** Findings that do not keep the program from starting are still said. */
function sayWarnings(loaded: LoadedSettings, world: World): void {
  for (const warning of loaded.files.flatMap((file) => file.warnings))
    world.notices.warn(formatProblem(warning));
}
