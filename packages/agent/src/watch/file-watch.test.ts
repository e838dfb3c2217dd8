import { execFileSync } from 'node:child_process';
import {
  lstat,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision, DispatchContext, Dispatcher } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileWatch, type FileWatch, mostPaths } from './file-watch.ts';
import { diskWatchFiles, hashLimit, type WatchFiles } from './look.ts';

let root: string;
let told: string[];
let notices: string[];
/** What the FileChanged hooks do and say. */
let answer: (file: string) => Promise<Partial<Decision>> | Partial<Decision>;

const nothing: Decision = {
  verdict: { kind: 'none' },
  rewrittenBy: [],
  contexts: [],
  watchPaths: [],
  reports: [],
};

const hooks: Dispatcher = {
  async dispatch(event, payload) {
    const { file_path: file } = payload as { readonly file_path: string };
    told.push(`${event} ${file.slice(root.length + 1)}`);
    return { ...nothing, ...(await answer(file)) };
  },
};

const context: DispatchContext = {
  agent: { id: 'main', type: 'main' },
  workspace: '',
  cwd: '',
  turn: null,
  model: 'test/model',
  permissionMode: 'default',
  transcriptPath: '',
  usage: { input_tokens: 0, output_tokens: 0, context_share: null },
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'file-watch-')));
  told = [];
  notices = [];
  answer = () => ({});
});
afterEach(() => rm(root, { recursive: true, force: true }));

function createWatch(more: Partial<Parameters<typeof createFileWatch>[0]> = {}): FileWatch {
  return createFileWatch({
    hooks,
    workspace: root,
    now: () => 0,
    notice: (text) => notices.push(text),
    ...more,
  });
}

async function watching(...paths: readonly string[]): Promise<FileWatch> {
  const watch = createWatch();
  await watch.register([{ id: 'hook', paths }]);
  return watch;
}

/** Polls and gives back what was told in this poll. */
async function poll(watch: FileWatch): Promise<readonly string[]> {
  const before = told.length;
  await watch.poll(context);
  return told.slice(before);
}

const write = (name: string, text: string) => writeFile(join(root, name), text);

describe('what counts as a change', () => {
  it('is a registered file with other content, and no other file [koder.event.filechanged-on-change] [koder.event.filechanged-payload]', async () => {
    await write('spec.md', 'one');
    await write('other.md', 'one');
    const watch = await watching('spec.md');
    expect(await poll(watch)).toEqual([]);
    await write('spec.md', 'two');
    await write('other.md', 'two');
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
    expect(await poll(watch)).toEqual([]);
  });

  it('is not a new time on the same content', async () => {
    await write('spec.md', 'one');
    const watch = await watching('spec.md');
    await utimes(join(root, 'spec.md'), 1, 1);
    expect(await poll(watch)).toEqual([]);
    await write('spec.md', 'one');
    expect(await poll(watch)).toEqual([]);
  });

  it('is the same size with other bytes', async () => {
    await write('spec.md', 'one');
    const watch = await watching('spec.md');
    await write('spec.md', 'two');
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
  });

  it('is a file put in its place, one that appears and one that goes', async () => {
    await write('spec.md', 'one');
    const watch = await watching('spec.md', 'later.md');
    await write('new.md', 'two');
    await rename(join(root, 'new.md'), join(root, 'spec.md'));
    await write('later.md', 'here');
    expect(await poll(watch)).toEqual(['FileChanged spec.md', 'FileChanged later.md']);
    await rm(join(root, 'later.md'));
    expect(await poll(watch)).toEqual(['FileChanged later.md']);
    expect(await poll(watch)).toEqual([]);
  });

  it('is a name that comes and goes in a directory, not what is in its files', async () => {
    await mkdir(join(root, 'docs'));
    await write('docs/a', 'one');
    const watch = await watching('docs');
    await write('docs/a', 'two');
    expect(await poll(watch)).toEqual([]);
    await write('docs/b', 'one');
    expect(await poll(watch)).toEqual(['FileChanged docs']);
  });

  it('is the file behind a link, and a link that leads elsewhere', async () => {
    await write('target', 'one');
    await write('target2', 'two');
    await symlink('target', join(root, 'link'));
    const watch = await watching('link');
    await write('target', 'three');
    expect(await poll(watch)).toEqual(['FileChanged link']);
    await rm(join(root, 'link'));
    await symlink('target2', join(root, 'link'));
    expect(await poll(watch)).toEqual(['FileChanged link']);
    await rm(join(root, 'target2'));
    expect(await poll(watch)).toEqual(['FileChanged link']);
  });

  it('never opens a fifo', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const watch = await watching('pipe');
    expect(await poll(watch)).toEqual([]);
    await rm(join(root, 'pipe'));
    await write('pipe', 'a file now');
    expect(await poll(watch)).toEqual(['FileChanged pipe']);
  });

  it('never reads a file of two gigabytes', async () => {
    await write('huge', '');
    await truncate(join(root, 'huge'), 2 * 1024 ** 3);
    const opened: unknown[] = [];
    const watch = createWatch({
      files: {
        ...diskWatchFiles,
        open: (...args) => {
          opened.push(args[0]);
          return diskWatchFiles.open(...args);
        },
      },
    });
    await watch.register([{ id: 'hook', paths: ['huge'] }]);
    expect(await poll(watch)).toEqual([]);
    await truncate(join(root, 'huge'), 2 * 1024 ** 3 + 1);
    expect(await poll(watch)).toEqual(['FileChanged huge']);
    expect(opened).toEqual([]);
    await truncate(join(root, 'huge'), hashLimit);
    expect(await poll(watch)).toEqual(['FileChanged huge']);
  });

  it('copes with a name that no file can have', async () => {
    const watch = await watching('nul\0byte', 'x'.repeat(5_000), '');
    expect(watch.paths()).toHaveLength(2);
    expect(await poll(watch)).toEqual([]);
  });
});

describe('contents that are read after the registration', () => {
  /** Old enough to be no file of this moment. */
  const settled = { ...diskWatchFiles, time: () => Date.now() + 60_000 };

  /** Files whose contents cannot be read before the gate is opened; `read` resolves when one was. */
  function gated() {
    let openGate: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    let wasRead: () => void = () => {};
    const read = new Promise<void>((resolve) => {
      wasRead = resolve;
    });
    const files: WatchFiles = {
      ...settled,
      async open(...args) {
        await gate;
        const handle = await diskWatchFiles.open(...args);
        const close = handle.close.bind(handle);
        handle.close = () => close().finally(() => wasRead());
        return handle;
      },
    };
    return { files, openGate, read };
  }

  it('keep nobody waiting', async () => {
    await write('spec.md', 'one');
    const { files, openGate } = gated();
    const watch = createWatch({ files });
    await watch.register([{ id: 'hook', paths: ['spec.md'] }]);
    expect(await poll(watch)).toEqual([]);
    openGate();
    await watch.close();
  });

  it('lose no change that comes before they are read, and tell of it once', async () => {
    await write('spec.md', 'one');
    const { files, openGate, read } = gated();
    const watch = createWatch({ files });
    await watch.register([{ id: 'hook', paths: ['spec.md'] }]);
    await write('spec.md', 'two');
    openGate();
    await read;
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
    expect(await poll(watch)).toEqual([]);
    await watch.close();
  });

  it('tell a touch from a change once they are read', async () => {
    await write('spec.md', 'one');
    const watch = createWatch({ files: settled });
    await watch.register([{ id: 'hook', paths: ['spec.md'] }]);
    // Everything is read by then, and nothing is known that was not known before.
    await watch.close();
    await utimes(join(root, 'spec.md'), 1, 1);
    expect(await poll(watch)).toEqual([]);
    await write('spec.md', 'two');
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
  });

  it('are not read any more once the session is over', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `file-${index}`);
    for (const path of paths) await write(path, path);
    let opened = 0;
    const { files, openGate } = gated();
    const watch = createWatch({
      files: {
        ...files,
        open(...args) {
          opened += 1;
          return files.open(...args);
        },
      },
    });
    await watch.register([{ id: 'hook', paths }]);
    const closing = watch.close();
    openGate();
    await closing;
    expect(opened).toBeLessThan(paths.length);
  });
});

it('a change within the time step of a file system is seen all the same', async () => {
  await write('spec.md', 'one');
  const facts = await lstat(join(root, 'spec.md'), { bigint: true });
  const watch = createWatch({
    // Every change bears the stamp of the first one.
    files: {
      ...diskWatchFiles,
      lstat: async () => facts,
      time: () => Number(facts.ctimeMs),
    },
  });
  await watch.register([{ id: 'hook', paths: ['spec.md'] }]);
  await write('spec.md', 'two');
  expect(await poll(watch)).toEqual(['FileChanged spec.md']);
  expect(await poll(watch)).toEqual([]);
});

describe('a hook that is told', () => {
  it('may write the file without being told of that', async () => {
    await write('spec.md', 'one');
    const watch = await watching('spec.md');
    answer = async (file) => {
      await writeFile(file, 'formatted');
      return {};
    };
    await write('spec.md', 'two');
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
    expect(await poll(watch)).toEqual([]);
    await write('spec.md', 'three');
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
  });

  it('is told again when it was interrupted', async () => {
    await write('spec.md', 'one');
    const watch = await watching('spec.md');
    await write('spec.md', 'two');
    answer = () => ({ verdict: { kind: 'cancelled' } });
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
    answer = () => ({});
    expect(await poll(watch)).toEqual(['FileChanged spec.md']);
    expect(await poll(watch)).toEqual([]);
  });

  it('gives text for the model, and may end the run before the next file', async () => {
    await write('a', '1');
    await write('b', '1');
    const watch = await watching('a', 'b');
    await write('a', '2');
    await write('b', '2');
    const text = { hook: 'tell.sh, settings.json:3', place: 'settings.json:3', text: 'a changed' };
    answer = () => ({ contexts: [text], halt: text });
    expect(await watch.poll(context)).toEqual({ contexts: [text], halt: text });
    answer = () => ({});
    expect(await poll(watch)).toEqual(['FileChanged b']);
  });
});

describe('the lists', () => {
  it('replace each hook’s own and leave those of others [koder.watchpaths.from-filechanged]', async () => {
    await write('a', '1');
    await write('b', '1');
    const watch = createWatch();
    await watch.register([
      { id: 'one', paths: ['a'] },
      { id: 'two', paths: ['a', 'b'] },
    ]);
    await watch.register([{ id: 'two', paths: [] }]);
    expect(watch.paths()).toEqual([join(root, 'a')]);
    answer = () => ({ watchPaths: [{ id: 'one', paths: ['b'] }] });
    await write('a', '2');
    expect(await poll(watch)).toEqual(['FileChanged a']);
    expect(watch.paths()).toEqual([join(root, 'b')]);
    await write('a', '3');
    await write('b', '3');
    expect(await poll(watch)).toEqual(['FileChanged b']);
  });

  it('keep what is known of a file that another list names as well', async () => {
    await write('a', '1');
    const watch = await watching('a');
    await write('a', '2');
    await watch.register([{ id: 'later', paths: [join(root, 'a'), './a'] }]);
    expect(await poll(watch)).toEqual(['FileChanged a']);
  });

  it('end at a thousand files, and the user is told once', async () => {
    const watch = createWatch();
    const paths = Array.from({ length: mostPaths + 1 }, (_, index) => `file-${index}`);
    await watch.register([{ id: 'hook', paths }]);
    await watch.register([{ id: 'hook', paths }]);
    expect(watch.paths()).toHaveLength(mostPaths);
    expect(notices).toEqual(['hooks asked for 1001 files to be watched; only the first 1000 are']);
  });

  it('are gone through over several polls when the time of one is up', async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `file-${index}`);
    let time = 0;
    const watch = createWatch({
      now: () => {
        time += 1;
        return time;
      },
    });
    await watch.register([{ id: 'hook', paths }]);
    for (const path of paths) await write(path, 'now there');
    const seen: string[] = [...(await poll(watch))];
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(paths.length);
    for (let polls = 0; polls < 3; polls += 1) seen.push(...(await poll(watch)));
    expect(seen.toSorted()).toEqual(paths.map((path) => `FileChanged ${path}`).toSorted());
  });
});
