// From flags to an open session: project, model, journal, log, hooks.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import {
  createSettingsReload,
  loadDefinitions,
  type LoadedDefinitions,
  type Model,
  openSessionStore,
  preload,
  repairSessions,
  resumeSession,
  type Session,
  startSession,
  type Started,
  type TurnBoundary,
} from '@codey/agent';
import {
  diskFiles,
  type Files,
  type HookNotice,
  type HookObserver,
  type Journal,
  heldBackNotice,
  openJournal,
} from '@codey/hooks';
import type { RunCommandLine } from '../cli/command-line.ts';
import { type EditedSettings, editedSettings } from './edited-settings.ts';
import { locationsOf } from './locations.ts';
import type { FormPort, SessionEvent, StartOptions } from '@codey/agent';
import { readKeys } from '../setup/key-file.ts';
import { exitCodes, StartError } from './exit.ts';
import { openModel } from './model.ts';
import { openPermissions, type Permissions } from './permissions.ts';
import { holdPlugins } from './plugins.ts';
import { openProject, type Project } from './project.ts';
import {
  type ModelFacts,
  openSessionModel,
  type SessionModel,
  setupCommandOf,
  stepsMissing,
} from './session-model.ts';
import { surroundingsOf } from './surroundings.ts';
import { refuseToAgents } from './refuse-to-agents.ts';
import { reportSession } from './telemetry.ts';
import type { World } from './world.ts';
import { familyOfThisProcess } from './family.ts';

/** At this depth a hook starts codey that runs hooks that start codey. */
const loopDepth = 3;

export interface SessionPorts {
  readonly onEvent: (event: SessionEvent) => void;
  readonly onHookNotice: (notice: HookNotice) => void;
  readonly observer: HookObserver;
  /** Sees what is journaled; gives back where it goes. */
  readonly wrapJournal?: (journal: Journal) => Journal;
  readonly human?: StartOptions['human'];
  /** Who fills in the forms of MCP servers. */
  readonly forms?: FormPort;
  readonly signals?: StartOptions['signals'];
  readonly forks?: StartOptions['forks'];
  /** As in `ModelFacts`; refused if left out. */
  readonly withoutModel?: ModelFacts['without'];
  /** What to do about settings that were edited. Rejects only when the boundary's signal aborts. */
  readonly betweenTurns?: (boundary: TurnBoundary, settings: EditedSettings) => Promise<void>;
  /** The conversation takes the place of one that was cleared away. */
  readonly cleared?: boolean;
  /** Gives the project where it is not the one that flags and directory say: a rehearsal plays in a copy. */
  readonly openProject?: typeof openProject;
  /** How sessions and journals are written; in the background if not given. */
  readonly files?: Files;
  /** Nobody's work: no collector is told of it. */
  readonly rehearsed?: true;
}

export interface Opened {
  readonly started: Started;
  readonly project: Project;
  readonly model: Model;
  /** As in `SessionModel`. */
  readonly missing?: SessionModel['missing'];
  readonly permissions: Permissions;
  /** Opens another model with the settings and keys of this session. Throws StartError. */
  readonly openModel: (id: string) => Promise<Model>;
  /** Last of all: what was journaled is on disk. */
  readonly finish: () => Promise<void>;
}

/** Throws StartError for everything that keeps the program from starting. */
export async function openSession(
  commandLine: RunCommandLine,
  world: World,
  ports: SessionPorts,
): Promise<Opened> {
  const { flags } = commandLine;
  const family = familyOfThisProcess();
  if (family.depth >= loopDepth) {
    throw new StartError(
      'hooks are starting codey in a loop: this one runs inside a hook of a codey inside a hook',
      exitCodes.failed,
    );
  }
  if (flags.trustProjectHooks) refuseToAgents('--trust-project-hooks');
  const project = await (ports.openProject ?? openProject)(flags, world);
  const { snapshot, settings } = project;
  const agents = await openAgents(project, flags, world);
  const environment = { ...world.environment, ...settings.env };
  if (!flags.trustProjectHooks && !flags.noHooks && !flags.noProjectHooks) {
    const notice = heldBackNotice(project.trust.review());
    if (notice !== undefined) world.notices.warn(notice);
  }
  // For models alone: what hooks and tools inherit holds no key that was only typed into the wizard.
  const keys = async () => ({ ...(await readKeys(world.home)), ...environment });
  const { withoutModel: without = 'refuse' } = ports;
  const { model, missing } = await openSessionModel(
    { project, keys, baseUrl: flags.baseUrl, family, without },
    world,
  );
  // Runs while the disk is waited for below.
  preload(model.id);
  const openAnother = async (id: string) =>
    openModel({ ...settings, model: id }, await keys(), flags.baseUrl, setupCommandOf(without));

  const onNotice = (text: string): void => world.notices.warn(text);
  const files = ports.files ?? diskFiles;
  const store = openSessionStore({
    projectRoot: project.root,
    pid: world.pid,
    now: Date.now,
    onNotice,
    files,
    ...(world.home !== undefined && { home: world.home }),
  });
  if (world.home !== undefined) {
    await repairSessions({
      store,
      projectRoot: project.root,
      home: world.home,
      pid: world.pid,
      now: Date.now,
      onNotice,
      files,
    });
  }
  const { stored, source, cwd } = await openStored(commandLine, store, project);
  const journal = await openJournal({
    projectRoot: project.root,
    session: stored.id,
    pid: world.pid,
    now: Date.now,
    onNotice,
    files,
    ...(world.home !== undefined && { home: world.home }),
  });
  const extraDirs = await Promise.all(flags.addDir.map((dir) => existingDirectory(dir, world)));
  const permissions = await openPermissions(project, extraDirs, world);
  const letPluginsGo = await holdPlugins(project.plugins, world);
  const report = ports.rehearsed ? undefined : reportSession(stored.id, settings, world);
  const reported = report?.wrap(journal) ?? journal;
  const closeReport = async (): Promise<void> => report?.close(ports.signals?.cut.aborted === true);
  const reload = createSettingsReload({
    locations: locationsOf(project.root, flags.settings, world),
    loaded: project.loaded,
    ...(project.stamp !== undefined && { stamp: project.stamp }),
    flags: project.flags,
  });
  let edited: EditedSettings | undefined;
  const started = await startSession({
    stored,
    source: ports.cleared === true ? 'clear' : source,
    projectRoot: project.root,
    cwd,
    model,
    snapshot,
    skills: project.skills,
    agents,
    ...(flags.agent !== undefined && { agent: flags.agent }),
    ...(world.home !== undefined && {
      teamsFolder: join(world.home, '.codey/teams'),
    }),
    // Any other would lead into the repository.
    ...(world.home !== undefined &&
      isAbsolute(world.home) && { sparePipes: join(world.home, '.codey/cache/pipes') }),
    permissions: permissions.current,
    openModel: openAnother,
    trust: project.trust,
    journal: ports.wrapJournal?.(reported) ?? reported,
    environment,
    toolEnvironment: {},
    extraDirs,
    bare: flags.bare,
    ...surroundingsOf(
      { project, environment, ...(ports.forms !== undefined && { forms: ports.forms }) },
      world,
    ),
    async betweenTurns(boundary) {
      if (edited !== undefined) await ports.betweenTurns?.(boundary, edited);
    },
    settingSaved: reload.saved,
    ...(flags.maxTurns !== undefined && { maxTurns: flags.maxTurns }),
    depth: family.depth,
    missingSteps: stepsMissing(project, await keys()),
    onEvent: ports.onEvent,
    onHookNotice: ports.onHookNotice,
    observer: ports.observer,
    ...(ports.human !== undefined && { human: ports.human }),
    ...(ports.forks !== undefined && { forks: ports.forks }),
    ...(ports.signals !== undefined && { signals: ports.signals }),
  }).catch(async (error: unknown) => {
    await closeReport();
    throw error;
  });
  if (started.kind === 'open') {
    const { session } = started;
    const contributed = [...project.contributed, ...[...agents.values()].map(({ hooks }) => hooks)];
    edited = editedSettings({ reload, project, contributed, permissions, session });
  }
  return {
    started,
    project,
    model,
    ...(missing !== undefined && { missing }),
    permissions,
    openModel: openAnother,
    async finish() {
      await letPluginsGo();
      await Promise.all([journal.close(), closeReport()]);
    },
  };
}

/** What definitions bring of hooks stands in the review like the hooks of settings. */
async function openAgents(
  { root, loaded, trust, plugins, contributed: others }: Project,
  flags: RunCommandLine['flags'],
  { home, notices }: World,
): Promise<LoadedDefinitions['definitions']> {
  const { definitions, notices: said } = await loadDefinitions({
    projectRoot: root,
    mayChooseModel: flags.trustProjectHooks,
    ...(home !== undefined && { home }),
    also: plugins.flatMap(({ agentFolders, fromRepository }) =>
      agentFolders.map((folder) => ({ folder, fromRepository })),
    ),
  });
  for (const notice of said) notices.warn(notice);
  const contributed = [...definitions.values()].map(({ hooks }) => hooks);
  if (contributed.some(({ policy, lifecycle }) => policy.length + lifecycle.length > 0))
    await trust.open({ loaded, contributed: [...others, ...contributed] });
  const { agent } = flags;
  if (agent === undefined || definitions.has(agent)) return definitions;
  throw new StartError(
    `--agent ${agent}: there is no such agent; there are ${[...definitions.keys()].join(', ')}`,
  );
}

async function openStored(
  { open }: RunCommandLine,
  store: ReturnType<typeof openSessionStore>,
  project: Project,
): Promise<{ readonly stored: Session; readonly source: 'startup' | 'resume'; readonly cwd: string }> {
  if (open.kind === 'new')
    return { stored: await store.create(project.cwd), source: 'startup', cwd: project.cwd };
  if (open.kind === 'choose')
    throw new StartError('which session? Give -resume an id; "codey sessions" lists them');
  const wanted =
    open.kind === 'latest' ? ({ kind: 'latest' } as const) : ({ kind: 'id', id: open.id } as const);
  const resumed = await resumeSession({ store, wanted, fork: open.fork, projectRoot: project.root });
  if (resumed.kind === 'refused') throw new StartError(resumed.message);
  return { stored: resumed.session, source: 'resume', cwd: resumed.replay.cwd };
}

/** `--add-dir`, as a real path. */
async function existingDirectory(directory: string, world: World): Promise<string> {
  try {
    return await realpath(resolve(world.cwd, directory));
  } catch {
    throw new StartError(`--add-dir ${directory} does not exist`);
  }
}
