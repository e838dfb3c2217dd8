// What calls are judged by in this session: mode, rules, protected files and remembered approvals.
import { statSync } from 'node:fs';
import path from 'node:path';
import {
  approvalsFile,
  type ApprovalStore,
  type PermissionState,
  protectedPaths,
  rememberApprovals,
} from '@codey/agent';
import { projectFolder } from '@codey/hooks';
import type { Project } from './project.ts';
import type { World } from './world.ts';

export interface Permissions {
  readonly current: () => PermissionState;
  /** For calls that begin from now on. */
  readonly setMode: (mode: PermissionState['mode']) => void;
}

export async function openPermissions(
  { root, settings, trust }: Project,
  extraDirs: readonly string[],
  world: World,
): Promise<Permissions> {
  const { allow, ask, deny, mode } = settings.permissions;
  let state: PermissionState = {
    mode,
    rules: { allow, ask, deny },
    protectedPaths: await protectedPaths({
      // Without a home nothing personal exists that an agent could change.
      home: world.home ?? root,
      roots: [root],
      ...split(await trust.coveredPaths()),
    }),
    extraDirs,
    remembered: await rememberApprovals({ store: approvalStore(root, world), notice: world.notices.warn }),
  };
  return {
    current: () => state,
    setMode: (next) => {
      state = { ...state, mode: next };
    },
  };
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
  if (home !== undefined) return approvalsFile(path.join(projectFolder(home, root), 'approvals.json'));
  return {
    load: async () => ({ rules: [] }),
    keep: async () => ({ problem: 'the approval holds for this session only: HOME is not set' }),
  };
}
