// Installs the published hook programs that tests run, once for each state of their lockfile.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/claude-programs', import.meta.url));

/** The folder with `node_modules`. No script of any package runs while it is installed. */
export async function installPrograms(): Promise<string> {
  const lock = await readFile(path.join(here, 'package-lock.json'));
  const folder = path.join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      await copyFile(path.join(here, name), path.join(fresh, name));
    }
    await npmCi(fresh);
    // Whoever installed the same meanwhile is as good.
    await rename(fresh, folder).catch(async (error) => {
      if (!(await exists(folder))) throw error;
    });
    return folder;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function npmCi(cwd: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Tests have a home of their own; how npm reaches its registry is said in the real one.
  const env = { ...process.env, HOME: userInfo().homedir };
  try {
    await promisify(execFile)('npm', args, { cwd, env });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? String(error);
    const message = `the published hook programs could not be installed; this suite needs a registry: ${said}`;
    throw new Error(message, { cause: error });
  }
}

function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
