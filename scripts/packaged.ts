// The packages as npm gets them: built and packed in a copy of the tree, so that no build of the tree itself is disturbed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sourceFiles } from './source-files.mjs';

export interface Packaged {
  /** Folder that holds everything else; a place for projects that use the packages. */
  readonly folder: string;
  /** Root of a package in the copy. */
  readonly packageDir: (name: string) => string;
  /** Path of the packed file. */
  readonly tarball: (name: string) => string;
  /** What npm puts into it. */
  readonly files: (name: string) => readonly string[];
  remove(): void;
}

export const packageNames = ['hooks', 'agent', 'codey'] as const;

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

export function packAll(root: string): Packaged {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'packaged-')));
  const copy = join(folder, 'tree');
  copySources(root, copy);
  execFileSync(process.execPath, ['scripts/build.mjs', '--packages'], { cwd: copy, stdio: 'pipe' });
  const packageDir = (name: string): string => join(copy, 'packages', name);
  const packed = new Map(packageNames.map((name) => [name as string, pack(packageDir(name), folder)]));
  return {
    folder,
    packageDir,
    tarball: (name) => join(folder, packed.get(name)?.filename ?? ''),
    files: (name) => packed.get(name)?.files.map(({ path }) => path) ?? [],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What the build reads, with the packages linked to each other in the copy and dependencies to the installed ones. */
function copySources(root: string, copy: string): void {
  const needed = sourceFiles(root).filter((file) => /^(?:packages|scripts)\/|^[\w.-]+$/.test(file));
  for (const file of needed) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@codey'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@codey' && name !== 'codey')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of ['hooks', 'agent'])
    symlinkSync(join(copy, 'packages', name), join(modules, '@codey', name));
}

function pack(packageDir: string, destination: string): Packed {
  const said = execFileSync(
    'npm',
    [
      'pack',
      '--json',
      '--ignore-scripts',
      '--pack-destination',
      destination,
      '--cache',
      join(destination, 'cache'),
    ],
    { cwd: packageDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // Versions of npm differ: a list, or an object by package.
  const [packed] = Object.values<Packed>(JSON.parse(said));
  if (packed === undefined) throw new Error(`npm pack said nothing about ${packageDir}`);
  return packed;
}
