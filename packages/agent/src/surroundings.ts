// What a session has around its conversation: instructions, a directory, watched files, servers, settings it may save.
import { monotonicMs } from '@codey/hooks';
import type { Attributed, Decision, DispatchContext, WatchedFiles } from '@codey/hooks';
import { type CompactResult, compact } from './compaction/compact.ts';
import { confirmWithHuman } from './gate/confirm.ts';
import { announceInstructions } from './instructions/announce.ts';
import { findInstructions, type InstructionsFile } from './instructions/load.ts';
import { moveTo, tellMoved } from './instructions/move.ts';
import type { Agent } from './loop/agent.ts';
import type { MovablePlace } from './loop/place.ts';
import type { SessionScope } from './loop/scope.ts';
import type { ParsedDefinition } from './mcp/definition.ts';
import type { FormPort } from './mcp/form-port.ts';
import type { Mcp } from './mcp/mcp.ts';
import { expandServerPrompt, sayUnknownPrompt } from './mcp/server-prompt.ts';
import { createSessionMcp } from './mcp/session-mcp.ts';
import { expandCommand, type PromptCommand } from './plugins/prompt-command.ts';
import type { Session } from './session/session.ts';
import { type Saved, type SaveRequest, saveSetting } from './settings/save.ts';
import { type BetweenTurns, createBetweenTurns, type HostBetweenTurns } from './watch/between-turns.ts';
import { createFileWatch } from './watch/file-watch.ts';

/** What the host says about them when a session is started. */
export interface SurroundingsOptions {
  /** `--bare`: no instructions are loaded. */
  readonly bare: boolean;
  /** Where the program was started, for a resumed session that goes on elsewhere. */
  readonly startedIn?: string;
  /** Whose settings `saveSetting` writes; without it those of the user cannot be saved. */
  readonly home?: string;
  /** The setting of that name. */
  readonly brief?: boolean;
  readonly mcp?: {
    readonly definitions: readonly ParsedDefinition[];
    /** What servers are told about who they talk to. */
    readonly program: { readonly name: string; readonly version: string };
    /** Absent where nobody can fill in a form. */
    readonly forms?: FormPort;
  };
  /** Files that hooks want watched from the start. */
  readonly watches?: readonly WatchedFiles[];
  /** What `/plugin:command` stands for. */
  readonly commands?: readonly PromptCommand[];
  /** The host's own part between two turns and before a prompt, such as an offer to reload edited settings. */
  readonly betweenTurns?: HostBetweenTurns;
  /** Told which key of which settings file the session itself has saved, before anything else may look at the file. */
  readonly settingSaved?: (file: string, key: string) => Promise<void>;
}

export type Directory =
  | { readonly kind: 'moved'; readonly cwd: string }
  | { readonly kind: 'refused'; readonly message: string };

/** For front ends. */
export interface SessionSurroundings {
  /** `/compact`; `instructions` say what the summary shall keep. Not while a run is under way. Never rejects. */
  compact(instructions: string): Promise<CompactResult>;
  /** `/cd`: for everything that begins from now on. Never rejects. */
  changeDirectory(target: string): Promise<Directory>;
  /** Asks the ConfigChange hooks; the caller puts the value in force only when this says so. Never rejects. */
  saveSetting(request: SaveRequest): Promise<Saved>;
  readonly brief: boolean;
  /** `/brief`: saved in the user's settings, in force from the next model call on. Never rejects. */
  useBrief(on: boolean): Promise<Saved>;
  /**
   * Why a prompt that is written as `/server:prompt` or `/plugin:command` names none that is there, as a sentence. Waits for
   * servers that are coming up. Never rejects.
   */
  unknownPrompt(prompt: string): Promise<string | undefined>;
  readonly mcp: Omit<Mcp, 'close' | 'tools' | 'ready' | 'instructions'>;
}

/** For the session itself. */
export interface Surroundings {
  readonly surface: SessionSurroundings;
  readonly mcp: Mcp;
  readonly betweenTurns: BetweenTurns['pass'];
  beforePrompt(): Promise<void>;
  /** A prompt that begins with a plugin's command or names a server's prompt, as the model gets it. Never rejects. */
  expand(prompt: string): Promise<string>;
  instructions(): readonly InstructionsFile[];
  /** InstructionsLoaded, at the start; gives back what hooks have to say to the model. */
  load(context: DispatchContext): Promise<readonly Attributed[]>;
  /** What SessionStart hooks want watched, beside what is from the start. */
  watch(paths: Decision['watchPaths']): Promise<void>;
  /** CwdChanged, where the session goes on in another directory than the program was started in. */
  arrive(): Promise<void>;
  close(): Promise<void>;
}

export interface SurroundingsParts {
  readonly stored: Session;
  readonly scope: SessionScope;
  readonly place: MovablePlace;
  /** Read at each use: it is made after this. */
  readonly agent: () => Agent;
  /** Whether a run is under way. */
  readonly busy: () => boolean;
}

export function createSurroundings(options: SurroundingsOptions, parts: SurroundingsParts): Surroundings {
  const { stored, scope, place, agent, busy } = parts;
  const notice = (text: string): void => scope.events({ kind: 'notice', text });
  const watch = createFileWatch({
    hooks: scope.engine,
    workspace: scope.projectRoot,
    now: monotonicMs,
    notice,
  });
  const { definitions = [], program = { name: '', version: '' }, forms } = options.mcp ?? {};
  const mcp = createSessionMcp({ definitions, program, scope, agent, ...(forms !== undefined && { forms }) });
  const between = createBetweenTurns({
    agent,
    scope,
    watch,
    mcp,
    append: scope.append,
    notice,
    ...(options.betweenTurns !== undefined && { host: options.betweenTurns }),
  });
  let instructions: readonly InstructionsFile[] = [];
  let brief = options.brief ?? false;
  /** A compaction of the user's under way: the next prompt waits for it. */
  let compacting: Promise<unknown> = Promise.resolve();

  /** Outside a run the last one's interrupt has nothing to say any more. */
  function idleContext(): DispatchContext {
    if (!busy()) agent().beginRun();
    return agent().dispatchContext();
  }

  function sayLeftOut(leftOut: readonly { readonly file: string; readonly reason: string }[]): void {
    for (const { file, reason } of leftOut) notice(`${file} was left out: ${reason}`);
  }

  async function save(request: SaveRequest): Promise<Saved> {
    const { home } = options;
    const saved = await saveSetting(
      request,
      { projectRoot: scope.projectRoot, ...(home !== undefined && { home }) },
      {
        hooks: scope.engine,
        context: idleContext(),
        confirm: (question) =>
          confirmWithHuman(
            { header: 'Setting', question, yes: 'Keep the new setting', no: 'Take it back' },
            agent(),
            scope,
          ),
      },
    );
    const [key] = request.path;
    if (saved.kind === 'saved' && key !== undefined) await options.settingSaved?.(saved.file, key);
    return saved;
  }

  async function compactNow(wish: string): Promise<CompactResult> {
    if (busy()) return { kind: 'unchanged', why: 'A run is under way; compact when it has ended.' };
    agent().beginRun();
    const work = compact({
      occasion: 'asked',
      instructions: wish,
      agent: agent(),
      session: scope,
      sizes: () => stored.state().sizes,
    });
    compacting = work;
    scope.background(work);
    return work;
  }

  async function changeDirectory(target: string): Promise<Directory> {
    const moved = await moveTo(target, {
      place,
      extraDirs: scope.extraDirs,
      hooks: scope.engine,
      context: idleContext,
      known: instructions,
      bare: options.bare,
      moved: (cwd) => scope.append({ kind: 'cwd', cwd }),
    });
    if (moved.kind === 'refused') return moved;
    for (const problem of moved.problems) notice(problem);
    sayLeftOut(moved.instructions.leftOut);
    instructions = [...instructions, ...moved.instructions.files];
    agent().addContexts(moved.instructions.contexts, 'InstructionsLoaded');
    agent().addContexts(moved.contexts, 'CwdChanged');
    await watch.register([...moved.instructions.watchPaths, ...moved.watchPaths]);
    return { kind: 'moved', cwd: moved.cwd };
  }

  const unknownPrompt = (prompt: string): Promise<string | undefined> => {
    const commands = (options.commands ?? []).map(({ name }) => name);
    return sayUnknownPrompt(prompt, commands, { mcp, signal: agent().signal });
  };

  return {
    mcp,
    betweenTurns: between.pass,
    async beforePrompt() {
      await compacting;
      await between.beforePrompt();
    },
    async expand(prompt) {
      const expanded = expandCommand(prompt, options.commands ?? []);
      return expanded === prompt
        ? expandServerPrompt(prompt, { mcp, signal: agent().signal, notice })
        : expanded;
    },
    instructions: () => instructions,
    async load(context) {
      if (options.bare) return [];
      const found = await findInstructions(scope.projectRoot, place.cwd);
      for (const problem of found.problems) notice(problem);
      const announced = await announceInstructions(found.files, 'session_start', scope.engine, context);
      sayLeftOut(announced.leftOut);
      instructions = announced.files;
      await watch.register(announced.watchPaths);
      return announced.contexts;
    },
    watch: (paths) => watch.register([...(options.watches ?? []), ...paths]),
    async arrive() {
      const { startedIn } = options;
      if (startedIn === undefined || startedIn === place.cwd) return;
      const told = await tellMoved(startedIn, place.cwd, scope.engine, agent().dispatchContext());
      agent().addContexts(told.contexts, 'CwdChanged');
      await watch.register(told.watchPaths);
    },
    async close() {
      await Promise.all([mcp.close(), watch.close()]);
    },
    surface: {
      compact: compactNow,
      changeDirectory,
      saveSetting: save,
      get brief() {
        return brief;
      },
      async useBrief(on) {
        const saved = await save({ scope: 'user', path: ['brief'], value: on ? true : undefined });
        if (saved.kind === 'saved' || saved.kind === 'unchanged') brief = on;
        return saved;
      },
      unknownPrompt,
      mcp,
    },
  };
}
