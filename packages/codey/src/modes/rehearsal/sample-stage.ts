// The stage of the built-in sample: a tiny project with hooks, and a home that is thrown away with it.
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sampleWorkspace } from './sample.ts';
import type { Stage } from './stage.ts';

export async function buildSampleStage(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Stage> {
  const workspace = join(folder, 'greeter');
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  for (const [name, text] of Object.entries(sampleWorkspace)) {
    const file = join(workspace, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    if (name.endsWith('.sh')) await chmod(file, 0o755);
  }
  await promisify(execFile)('git', ['init', '--quiet', workspace]).catch(() => {
    // Without git the workspace is a project all the same, by its .codey folder.
  });
  return {
    folder,
    workspace,
    home,
    environment: { ...environment, HOME: home },
    flags: ['--trust-project-hooks'],
  };
}
