// What calls are judged by in this session: mode, rules, protected files and remembered approvals.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  approvalsFile,
  type ApprovalStore,
  type PermissionState,
  protectedPaths,
  rememberApprovals,
} from '@codey/agent';
import { projectFolder, type Settings } from '@codey/hooks';
import type { Project } from './project.ts';
import type { World } from './world.ts';

export interface Permissions {
  readonly current: () => PermissionState;
  /** For calls that begin from now on. */
  readonly setMode: (mode: PermissionState['mode']) => void;
  /** Takes over rules of settings that were read again, and their mode where it is another than they named before. */
  readonly useSettings: (settings: Settings) => Promise<void>;
}

export async function openPermissions(
  { root, settings, trust }: Pick<Project, 'root' | 'settings' | 'trust'>,
  extraDirs: readonly string[],
  world: World,
): Promise<Permissions> {
  const findProtected = async (): Promise<PermissionState['protectedPaths']> =>
    protectedPaths({
      // Without a home nothing personal exists that an agent could change.
      home: world.home ?? root,
      roots: [root],
      ...split(await trust.coveredPaths()),
    });
  let named = settings.permissions.mode;
  let state: PermissionState = {
    mode: named,
    rules: rulesOf(settings),
    protectedPaths: await findProtected(),
    extraDirs,
    remembered: await rememberApprovals({ store: approvalStore(root, world), notice: world.notices.warn }),
  };
  return {
    current: () => state,
    setMode: (next) => {
      state = { ...state, mode: next };
    },
    async useSettings(next) {
      const { mode } = next.permissions;
      const paths = await findProtected();
      state = {
        ...state,
        mode: mode === named ? state.mode : mode,
        rules: rulesOf(next),
        protectedPaths: paths,
      };
      named = mode;
    },
  };
}

function rulesOf({ permissions: { allow, ask, deny } }: Settings): PermissionState['rules'] {
  return { allow, ask, deny };
}

/** What the trust check covers, as single files and as folders with all that is in them. */
function split(paths: readonly string[]): { readonly files: string[]; readonly folders: string[] } {
  const folders = new Set(paths.filter(isFolder));
  return { files: paths.filter((each) => !folders.has(each)), folders: [...folders] };
}

/** Without waiting: for some twenty paths that is less work than asking for one in the background. */
function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function approvalStore(root: string, { home }: World): ApprovalStore {
  if (home !== undefined) return approvalsFile(join(projectFolder(home, root), 'approvals.json'));
  return {
    load: async () => ({ rules: [] }),
    keep: async () => ({ problem: 'the approval holds for this session only: HOME is not set' }),
  };
}
