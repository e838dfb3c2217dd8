// Files that are whole or as they were, at whatever step the process that writes them is killed.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WritePort } from '../src/config/file-system.ts';
import { replaceFile } from '../src/config/replace-file.ts';
import type { Files } from '../src/journal/files.ts';
import { ensureIgnored } from '../src/journal/ignore.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whole-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a file that is replaced holds the old text or the new one', async () => {
  const file = join(folder, 'file.json');
  const seen = await eachStep(async (files) => {
    await writeFile(file, 'the old text');
    await replaceFile({ file, text: 'the new text', mode: 0o600 }, files);
  }, file);
  expect(new Set(seen)).toEqual(new Set(['the old text', 'the new text']));
});

it('a .gitignore is there with every line or not at all, so that the next session makes it', async () => {
  const file = join(folder, '.codey/.gitignore');
  await mkdir(join(folder, '.codey'));
  const seen = await eachStep(async (files) => {
    await rm(file, { force: true });
    await ensureIgnored(join(folder, '.codey'), files);
  }, file);
  await ensureIgnored(join(folder, '.codey'));
  const whole = await readFile(file, 'utf8');
  expect(whole).toContain('settings.local.json\n');
  expect(new Set(seen)).toEqual(new Set([undefined, whole]));
});

/** What the file holds after a write that was stopped before its first step, before its second, and so on to the end. */
async function eachStep(
  write: (files: WritePort & Files) => Promise<void>,
  file: string,
): Promise<readonly (string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  for (let steps = 0; ; steps++) {
    const { files, stopped } = stopAfter(steps);
    const outcome = await Promise.race([write(files).then(() => 'done'), stopped.then(() => 'stopped')]);
    seen.push(await readFile(file, 'utf8').catch(() => undefined));
    if (outcome === 'done') return seen;
  }
}

/** A disk on which one step more never comes back, as for a process that is killed before it. */
function stopAfter(steps: number): { readonly files: WritePort & Files; readonly stopped: Promise<void> } {
  let left = steps;
  let stop: () => void;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, key) {
        const value: unknown = Reflect.get(object, key);
        if (typeof value !== 'function') return value;
        return async (...args: readonly unknown[]) => {
          // What a process had open the system closes; an open handle would outlive this test.
          if (left-- <= 0 && key !== 'close') {
            stop();
            return new Promise(() => {});
          }
          const result: unknown = await Reflect.apply(value, object, args);
          return key === 'open' ? counted(result as object) : result;
        };
      },
    });
  return { files: counted({ ...disk }), stopped };
}
