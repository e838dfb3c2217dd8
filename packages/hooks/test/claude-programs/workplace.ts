// A home and a project with settings of that format, and the real engine over real processes.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ClaudeHooks,
  createClaudeTranscript,
  createCommandRunner,
  createHookEngine,
  createOnce,
  createProcessHost,
  type Decision,
  type DispatchContext,
  formatProblem,
  type HookDefinition,
  type HookSnapshot,
  loadClaudeHooks,
  loadClaudePlugin,
  type PolicyEventName,
  type PolicyPayload,
  type TranscriptEntry,
  trustEverything,
} from '../../src/index.ts';

export interface Setup {
  /** The `hooks` of the user's settings file. */
  readonly hooks?: Readonly<Record<string, readonly object[]>>;
  /** A package that is a plugin. */
  readonly plugin?: string;
  /** Files of the project, by their path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly conversation?: readonly TranscriptEntry[];
}

export interface Workplace {
  readonly project: string;
  ask<Event extends PolicyEventName>(event: Event, payload: PolicyPayload<Event>): Promise<Decision>;
  /** Takes the hooks of a plugin in the place of those there are. */
  usePlugin(root: string, file: string): Promise<void>;
  /** Waits for hooks in the background, then takes everything away. */
  leave(): Promise<void>;
  /** Waits for hooks in the background. */
  settle(): Promise<void>;
}

export async function makeWorkplace(programs: string, setup: Setup): Promise<Workplace> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'codey-programs-')));
  try {
    return await furnish(folder, programs, setup);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function furnish(folder: string, programs: string, setup: Setup): Promise<Workplace> {
  const home = path.join(folder, 'home');
  const project = path.join(folder, 'project');
  const temporary = path.join(folder, 'tmp');
  for (const directory of [path.join(home, '.claude'), project, temporary]) {
    await mkdir(directory, { recursive: true });
  }
  await symlink(path.join(programs, 'node_modules'), path.join(project, 'node_modules'));
  for (const [name, text] of Object.entries({ 'package.json': '{}\n', ...setup.files })) {
    await mkdir(path.dirname(path.join(project, name)), { recursive: true });
    await writeFile(path.join(project, name), text);
  }
  await writeFile(path.join(home, '.claude/settings.json'), JSON.stringify({ hooks: setup.hooks ?? {} }));
  const place = { projectRoot: project, home };
  const hooks =
    setup.plugin === undefined
      ? await loadOwn(place)
      : await loadPlugin(path.join(programs, 'node_modules', setup.plugin), place);
  const transcript = createClaudeTranscript({ folder, session: 'session-1', cwd: project, onNotice: fail });
  for (const entry of setup.conversation ?? []) transcript.add(entry);

  const processes = createProcessHost({ temporaryDirectory: temporary });
  const engine = createHookEngine({
    session: 'session-1',
    projectRoot: project,
    snapshot: snapshotOf(hooks),
    depth: 0,
    ports: {
      runners: { command: createCommandRunner({ processes }) },
      environment: environmentFor(programs, home, temporary),
      journal: { append() {}, flush: async () => {} },
      trust: trustEverything,
      once: createOnce(),
      subjectOf: (_tool, { command }) =>
        typeof command === 'string' ? { kind: 'command', line: command } : { kind: 'none' },
      notify() {},
      transcripts: { claude: transcript.bringUpToDate },
      keepOutput: async () => undefined,
      spill: async () => undefined,
      now: () => performance.now(),
      date: () => new Date(),
      uniqueId: () => crypto.randomUUID(),
    },
  });
  const context: DispatchContext = {
    agent: { id: 'main', type: 'main' },
    workspace: project,
    cwd: project,
    turn: 1,
    model: 'script:test',
    permissionMode: 'default',
    transcriptPath: '',
    usage: { input_tokens: 0, output_tokens: 0, context_share: null },
  };
  return {
    project,
    ask: (event, payload) => engine.dispatch(event, payload, context),
    async usePlugin(root, file) {
      engine.use(snapshotOf(await loadPlugin(root, place, file)));
    },
    settle: () => engine.close(),
    async leave() {
      await engine.close();
      await processes.settle(5_000);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Place = Parameters<typeof loadClaudeHooks>[0];

async function loadOwn(place: Place): Promise<readonly HookDefinition[]> {
  return checked(await loadClaudeHooks(place));
}

async function loadPlugin(root: string, place: Place, file?: string): Promise<readonly HookDefinition[]> {
  const plugin = {
    name: path.basename(root),
    root,
    fromRepository: false,
    ...(file !== undefined && { file }),
  };
  return checked(await loadClaudePlugin(plugin, place));
}

/** What these programs ship is right in that format, so nothing of it may be left out here. */
function checked({ hooks, warnings }: ClaudeHooks): readonly HookDefinition[] {
  const [warning] = warnings;
  if (warning !== undefined) fail(formatProblem(warning));
  return hooks;
}

function snapshotOf(policy: readonly HookDefinition[]): HookSnapshot {
  return { policy, lifecycle: [], switches: noSwitches };
}

function environmentFor(programs: string, home: string, temporary: string): Readonly<Record<string, string>> {
  const { PATH = '', TEST_RUN = '' } = process.env;
  return {
    PATH: [path.join(programs, 'node_modules/.bin'), PATH].join(path.delimiter),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    // The programs are shared by runs and stay as they were installed.
    PYTHONDONTWRITEBYTECODE: '1',
    TEST_RUN,
  };
}

const noSwitches = {
  disableAll: 'none',
  disabledIds: new Set<string>(),
  managedOnly: false,
  hookFailure: {},
  withhold: [],
  noHooks: false,
  noProjectHooks: false,
  bare: false,
} as const;

function fail(message: string): never {
  throw new Error(message);
}
