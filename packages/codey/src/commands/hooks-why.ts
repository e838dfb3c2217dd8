// `codey hooks why`: why each hook did or did not run about one tool call, and what became of the call.
import {
  accountKinds,
  accountOfCall,
  type CallAccount,
  type HookDefinition,
  type JournaledHook,
  projectFolder,
  readJournal,
  sourceLabel,
  type WhichCall,
} from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { type DescribedHook, describeHook } from './describe-hook.ts';
import { findRoot } from '../start/find-root.ts';
import { readKeptOutput } from './kept-output.ts';
import { openHere } from './open-here.ts';
import { renderAccount } from './why-render.ts';
import { writeJson } from './write-json.ts';

export interface ExplainedHook extends JournaledHook {
  /** As it stands in the settings now; absent where it is there no longer. */
  readonly hook?: DescribedHook;
  /** What it printed, where that was kept. */
  readonly printed?: string;
}

export interface ExplainedCall extends Omit<CallAccount, 'dispatches'> {
  readonly dispatches: readonly (Omit<CallAccount['dispatches'][number], 'hooks'> & {
    readonly hooks: readonly ExplainedHook[];
  })[];
}

/** Exit code 1 where the journal knows of no such call. Settings that do not load are no hindrance. */
export async function hooksWhy(
  { arguments: named, flags }: Extract<NamedCommandLine, { command: 'hooks why' }>,
  world: World,
): Promise<number> {
  const root = await findRoot(flags.cwd, world);
  const which: WhichCall = named.call === undefined ? { kind: 'latest' } : { kind: 'id', id: named.call };
  const home = world.home === undefined ? {} : { home: world.home };
  const lines = readJournal({ projectRoot: root, ...home }, { kinds: accountKinds });
  const account = await accountOfCall(lines, which);
  if (account === undefined) throw new StartError(nothingKnown(which, root), exitCodes.failed);

  const explained = await explain(account, root, world);
  if (flags.json) writeJson(explained, world);
  else world.stdout.write(`${sanitise(renderAccount(explained))}\n`);
  return exitCodes.done;
}

function nothingKnown(which: WhichCall, root: string): string {
  return which.kind === 'latest'
    ? `the journal of ${root} holds no tool call yet`
    : `the journal of ${root} holds no call ${which.id}; "codey hooks trace" shows the calls of a session with their ids`;
}

async function explain(account: CallAccount, root: string, world: World): Promise<ExplainedCall> {
  const present = await presentHooks(root, world);
  const project = world.home === undefined ? undefined : projectFolder(world.home, root);
  const explainHook = async (hook: JournaledHook): Promise<ExplainedHook> => {
    const now = findHook(hook, present);
    const printed =
      project === undefined || hook.output === undefined
        ? undefined
        : await readKeptOutput(project, account.session, hook.output);
    return {
      ...hook,
      ...(now !== undefined && { hook: describeHook(now) }),
      ...(printed !== undefined && { printed }),
    };
  };
  return {
    ...account,
    dispatches: await Promise.all(
      account.dispatches.map(async (dispatch) => ({
        ...dispatch,
        hooks: await Promise.all(dispatch.hooks.map(explainHook)),
      })),
    ),
  };
}

/** Copies of a hook have one id; the one that stands where it stood, else the only one there is. */
function findHook(
  { id, scope, source }: JournaledHook,
  present: readonly HookDefinition[],
): HookDefinition | undefined {
  const copies = present.filter((hook) => hook.id === id && hook.source.scope === scope);
  const there = copies.find((hook) => sourceLabel(hook.source) === source);
  return there ?? (copies.length === 1 ? copies[0] : undefined);
}

/** Of plugins and other agents too; of settings that do not let a session start as far as they can be read. */
async function presentHooks(root: string, world: World): Promise<readonly HookDefinition[]> {
  const quiet: World = { ...world, notices: { note() {}, warn() {}, fail() {} } };
  try {
    return (await openHere({ cwd: root }, quiet, 'hooks why')).snapshot.policy;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return (await loadProjectSettings(root, undefined, world)).files.flatMap((file) => file.hooks);
  }
}
