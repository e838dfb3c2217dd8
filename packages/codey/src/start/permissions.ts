// What calls are judged by in this session: mode, rules, protected files and remembered approvals.
import { stat } from 'node:fs/promises';
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
      ...(await split(await trust.coveredPaths())),
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
async function split(
  paths: readonly string[],
): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  const folders = new Set<string>();
  await Promise.all(
    paths.map(async (each) => {
      const facts = await stat(each).catch(() => undefined);
      if (facts?.isDirectory()) folders.add(each);
    }),
  );
  return { files: paths.filter((each) => !folders.has(each)), folders: [...folders] };
}

function approvalStore(root: string, { home }: World): ApprovalStore {
  if (home !== undefined) return approvalsFile(path.join(projectFolder(home, root), 'approvals.json'));
  return {
    load: async () => ({ rules: [] }),
    keep: async () => ({ problem: 'the approval holds for this session only: HOME is not set' }),
  };
}
