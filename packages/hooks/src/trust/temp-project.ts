// A project and a home directory on disk, for the tests of this folder.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSettings } from '../config/load.ts';
import type { LoadedSettings } from '../config/settings.ts';
import { createTrustCheck, type TrustCheck, type TrustCheckOptions } from './check.ts';
import { createTrustStore } from './store.ts';
import type { AnyHook } from './trust.ts';

export interface TempProject {
  readonly root: string;
  readonly home: string;
  /** Writes a file of the project, or of any absolute path; scripts are executable. */
  write(name: string, text: string): string;
  /** Writes `.codey/settings.json`, with commands for `PreToolUse` as the short form. */
  settings(content: Readonly<Record<string, unknown>> | string): void;
  load(): Promise<LoadedSettings>;
  session(options?: Partial<TrustCheckOptions>): TrustCheck;
  remove(): void;
}

export function tempProject(folder = realpathSync(mkdtempSync(join(tmpdir(), 'trust-')))): TempProject {
  const root = join(folder, 'project');
  const home = join(folder, 'home');
  for (const directory of [root, home]) mkdirSync(directory, { recursive: true });
  const locations = { projectRoot: root, home };
  const write = (name: string, text: string): string => {
    const path = name.startsWith('/') ? name : join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };
  return {
    root,
    home,
    write,
    settings(content) {
      const written =
        typeof content === 'string'
          ? { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: content }] }] } }
          : content;
      write('.codey/settings.json', JSON.stringify(written, null, 2));
    },
    load: () => loadSettings(locations),
    session: (options = {}) =>
      createTrustCheck({
        locations,
        store: createTrustStore({ home, waitMs: 200 }),
        environment: { PATH: '/usr/bin:/bin' },
        ...options,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function firstHook(loaded: LoadedSettings): AnyHook {
  const hook = loaded.files.flatMap((file): readonly AnyHook[] => [...file.hooks, ...file.lifecycle])[0];
  if (hook === undefined) throw new Error('the settings hold no hook');
  return hook;
}
