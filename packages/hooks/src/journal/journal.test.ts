import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEntry, JournalLine } from './entry.ts';
import { diskFiles, type Files } from './files.ts';
import { ensureIgnored } from './ignore.ts';
import { type JournalOptions, openJournal } from './journal.ts';
import { projectFolder, projectId } from './project-folder.ts';
import { type JournalFilter, readJournal } from './read.ts';

let folder: string;
let root: string;
let home: string;
let notices: string[];
let clock: number;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'journal-')));
  root = join(folder, 'project');
  home = join(folder, 'home');
  await mkdir(root);
  await mkdir(home);
  notices = [];
  clock = Date.UTC(2026, 0, 1);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const notice = (what: string): JournalEntry => ({ kind: 'notice', what });
const inProject = () => join(root, '.codey', 'events.jsonl');
const inHome = () => join(projectFolder(home, root), 'events.jsonl');

function open(options: Partial<JournalOptions> = {}) {
  return openJournal({
    projectRoot: root,
    home,
    session: 's1',
    pid: process.pid,
    now: () => clock++,
    onNotice: (text) => notices.push(text),
    ...options,
  });
}

async function write(texts: readonly string[], options: Partial<JournalOptions> = {}): Promise<void> {
  const journal = await open(options);
  for (const text of texts) journal.append(notice(text));
  await journal.close();
}

async function read(filter?: JournalFilter): Promise<{ lines: JournalLine[]; damaged: number }> {
  const lines: JournalLine[] = [];
  let damaged = 0;
  for await (const line of readJournal({ projectRoot: root, home, onDamaged: () => damaged++ }, filter)) {
    lines.push(line);
  }
  return { lines, damaged };
}

const said = (lines: readonly JournalLine[]) =>
  lines.map((line) => (line.kind === 'notice' ? line.what : ''));

describe('a line', () => {
  it('carries time, session, pid and number before what happened [contract.journal.append-only]', async () => {
    await write(['one', 'two']);
    expect(await readFile(inProject(), 'utf8')).toBe(
      `{"time":"2026-01-01T00:00:00.000Z","session":"s1","pid":${process.pid},"n":1,"kind":"notice","what":"one"}\n` +
        `{"time":"2026-01-01T00:00:00.001Z","session":"s1","pid":${process.pid},"n":2,"kind":"notice","what":"two"}\n`,
    );
  });

  it('stays one line whatever is in it [contract.journal.append-only]', async () => {
    await write(['a\nb\u2028c\r\0']);
    expect((await readFile(inProject(), 'utf8')).split('\n')).toHaveLength(2);
    expect(said((await read()).lines)).toEqual(['a\nb\u2028c\r\0']);
  });

  it('that JSON cannot hold is named instead of thrown', async () => {
    const journal = await open();
    const bad: unknown = { kind: 'notice', what: 1n };
    journal.append(bad as JournalEntry);
    await journal.close();
    expect(said((await read()).lines)).toEqual(['an entry of kind notice could not be written as JSON']);
  });
});

describe('the file', () => {
  it('is private, and made private again [contract.journal.private]', async () => {
    await write(['one']);
    expect((await stat(inProject())).mode & 0o777).toBe(0o600);
    await chmod(inProject(), 0o644);
    await write(['two']);
    expect((await stat(inProject())).mode & 0o777).toBe(0o600);
  });

  it('is in .codey also where the project only has .koder [contract.journal.private]', async () => {
    await mkdir(join(root, '.koder'));
    await write(['one']);
    expect(await readdir(join(root, '.koder'))).toEqual([]);
    expect(await readdir(join(root, '.codey'))).toEqual(['.gitignore', 'events.jsonl']);
  });

  it('goes on after another that was moved aside or removed under it', async () => {
    const journal = await open();
    journal.append(notice('one'));
    await journal.flush();
    await rm(join(root, '.codey'), { recursive: true });
    journal.append(notice('two'));
    await journal.close();
    expect(said((await read()).lines)).toEqual(['two']);
    expect(notices).toEqual([]);
  });

  it('is rotated before it grows beyond its limit [contract.journal.append-only]', async () => {
    const journal = await open({ limits: { bytes: 1000, keep: 3 } });
    for (let i = 0; i < 60; i++) {
      journal.append(notice(`${i}`));
      await journal.flush();
    }
    await journal.close();
    const names = (await readdir(join(root, '.codey'))).sort();
    expect(names).toEqual([
      '.gitignore',
      'events.jsonl',
      'events.jsonl.1',
      'events.jsonl.2',
      'events.jsonl.3',
    ]);
    for (const name of names.slice(1)) {
      expect((await stat(join(root, '.codey', name))).size).toBeLessThanOrEqual(1000);
    }
    const numbers = said((await read()).lines).map(Number);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 60 - numbers.length + i));
  });

  it('is rotated past the lock of a rotation that died', async () => {
    await write(['x'.repeat(500)]);
    const lock = `${inProject()}.lock`;
    await writeFile(lock, JSON.stringify({ pid: 999_999_999, startTime: 1, host: '', boot: '' }));
    await utimes(lock, new Date(0), new Date(0));
    await write(['y'.repeat(500)], { limits: { bytes: 800, keep: 3 } });
    expect(await readdir(join(root, '.codey'))).toEqual(['.gitignore', 'events.jsonl', 'events.jsonl.1']);
  });
});

describe('.gitignore', () => {
  it('names what is ours and never everything [contract.journal.private]', async () => {
    await write(['one']);
    const path = join(root, '.codey', '.gitignore');
    expect(await readFile(path, 'utf8')).toBe('events.jsonl*\nsettings.local.json\nworktrees/\n.gitignore\n');
  });

  it('of somebody else stays as it is, empty or a dangling link too [contract.journal.private]', async () => {
    await mkdir(join(root, '.codey'));
    await writeFile(join(root, '.codey', '.gitignore'), '');
    await write(['one']);
    expect(await readFile(join(root, '.codey', '.gitignore'), 'utf8')).toBe('');

    const target = join(folder, 'elsewhere');
    await mkdir(join(root, '.koder'));
    await symlink(target, join(root, '.koder', '.gitignore'));
    await ensureIgnored(join(root, '.koder'));
    await expect(lstat(target)).rejects.toThrow('ENOENT');
  });

  it('keeps the journal out of git and lets settings in [contract.journal.private]', async () => {
    execFileSync('git', ['init', '-q', root]);
    await write(['one']);
    await writeFile(join(root, '.codey', 'settings.local.json'), '{}');
    await writeFile(join(root, '.codey', 'settings.json'), '{}');
    const status = execFileSync('git', ['-C', root, 'status', '--porcelain', '-uall'], { encoding: 'utf8' });
    expect(status).toBe('?? .codey/settings.json\n');
  });
});

describe('a project that cannot hold the journal', () => {
  async function expectMoved(reason: string | RegExp): Promise<void> {
    const journal = await open();
    for (const text of ['one', 'two']) {
      journal.append(notice(text));
      await journal.flush();
    }
    expect(journal.path()).toBe(inHome());
    await journal.close();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(reason);
    expect(notices[0]).toContain(`It goes to ${inHome()} instead.`);
    expect(said((await read()).lines)).toEqual(['one', 'two']);
    expect((await stat(inHome())).mode & 0o777).toBe(0o600);
    expect((await stat(projectFolder(home, root))).mode & 0o777).toBe(0o700);
  }

  it('because .codey leads out of it gets it in the home directory [contract.journal.private]', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await symlink(outside, join(root, '.codey'));
    await expectMoved(/is a link that leads out of the project/);
    expect(await readdir(outside)).toEqual([]);
  });

  it('because .codey is a dangling link gets it in the home directory', async () => {
    await symlink(join(folder, 'nowhere'), join(root, '.codey'));
    await expectMoved(/ENOENT/);
    await expect(lstat(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
  });

  it('because the journal is a link gets it in the home directory [contract.journal.private]', async () => {
    const target = join(folder, 'precious');
    await writeFile(target, 'precious');
    await mkdir(join(root, '.codey'));
    await symlink(target, inProject());
    await expectMoved('a symbolic link stands in its place');
    expect(await readFile(target, 'utf8')).toBe('precious');
  });

  it('because a directory or a FIFO stands in its place gets it in the home directory', async () => {
    await mkdir(inProject(), { recursive: true });
    await expectMoved('a directory stands in its place');
    await rm(join(root, '.codey'), { recursive: true });
    await rm(join(home, '.codey'), { recursive: true });
    notices = [];
    await mkdir(join(root, '.codey'));
    execFileSync('mkfifo', [inProject()]);
    await expectMoved('something that is not a regular file stands in its place');
  });

  it('because .codey is a file gets it in the home directory', async () => {
    await writeFile(join(root, '.codey'), '');
    await expectMoved('a file stands where a directory is needed');
  });

  it.skipIf(process.getuid?.() === 0)('because it is read-only gets it in the home directory', async () => {
    // Permission bits do not hold for root; the next suite rehearses a read-only disk for everybody.
    await chmod(root, 0o500);
    await expectMoved('permission is denied');
    await chmod(root, 0o700);
  });

  it('follows a link that stays inside it', async () => {
    await mkdir(join(root, 'config'));
    await symlink('config', join(root, '.codey'));
    await write(['one']);
    expect(await readdir(join(root, 'config'))).toEqual(['.gitignore', 'events.jsonl']);
    expect(said((await read()).lines)).toEqual(['one']);
    expect(notices).toEqual([]);
  });
});

describe('a disk that refuses', () => {
  /** Files whose writes below `full` fail with that code after `bytes` more bytes were taken. */
  function refusing(full: () => readonly string[], code: string, bytes = 0): Files {
    return {
      ...diskFiles,
      async open(path, flags, mode) {
        const handle = await diskFiles.open(path, flags, mode);
        const plain = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
        let left = bytes;
        const write = async (
          data: Uint8Array | string,
          offset = 0,
          length = data.length,
          ...rest: unknown[]
        ) => {
          if (typeof data === 'string' || !full().some((part) => path.startsWith(part))) {
            return plain(data, ...(typeof data === 'string' ? [] : [offset, length, ...rest]));
          }
          if (left === 0) throw Object.assign(new Error(code), { code });
          const taken = Math.min(left, length);
          left -= taken;
          return plain(data, offset, taken, ...rest);
        };
        return Object.assign(handle, { write });
      },
    };
  }

  it('half-way through a line gets the whole line written to the other place [contract.journal.append-only]', async () => {
    const files = refusing(() => [root], 'ENOSPC', 150);
    await write(['one', 'two', 'three'], { files });
    expect(notices).toEqual([
      `The journal cannot be written to ${inProject()}: the disk is full. It goes to ${inHome()} instead.`,
    ]);
    const { lines, damaged } = await read();
    expect(said(lines)).toEqual(['one', 'two', 'three']);
    expect(damaged).toBe(1);
  });

  it('that is read-only moves the journal', async () => {
    await write(['one'], { files: refusing(() => [root], 'EROFS') });
    expect(notices[0]).toContain('the file system is read-only');
    expect(said((await read()).lines)).toEqual(['one']);
  });

  it('everywhere costs one notice and no line that fits in memory, once there is room again', async () => {
    let full = [root, home];
    const journal = await open({ files: refusing(() => full, 'ENOSPC') });
    for (const text of ['one', 'two', 'three']) {
      journal.append(notice(text));
      await journal.flush();
    }
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('Nothing is recorded until that is put right');
    expect(journal.path()).toBeUndefined();
    expect((await read()).lines).toEqual([]);

    full = [];
    journal.append(notice('four'));
    await journal.flush();
    expect((await read()).lines).toEqual([]);

    clock += 60_000;
    journal.append(notice('five'));
    await journal.close();
    expect(said((await read()).lines)).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('and no home directory never throws', async () => {
    await writeFile(join(root, '.codey'), '');
    const journal = await openJournal({
      projectRoot: root,
      session: 's1',
      pid: 1,
      now: () => clock++,
      onNotice: (text) => notices.push(text),
    });
    for (let i = 0; i < 100; i++) journal.append(notice(`${i}`));
    await journal.close();
    expect(notices).toHaveLength(1);
  });
});

describe('reading', () => {
  it('finds nothing where nothing was written', async () => {
    expect(await read()).toEqual({ lines: [], damaged: 0 });
  });

  it('skips and counts garbage, and finds the line behind a fragment of a killed writer', async () => {
    await write(['one']);
    await appendFile(inProject(), '{"time":"2026-01-01T00:00:00.000Z","session":"s0","pi');
    await appendFile(
      inProject(),
      (await readFile(inProject(), 'utf8')).split('\n')[0]?.replace('one', 'two') ?? '',
    );
    await appendFile(
      inProject(),
      '\nnull\n\n[]\n{"time":1}\n\u0000\u0000\n{"time":"t","session":"s1","pid":1,"n":1,',
    );
    await write(['three']);
    expect(await read()).toMatchObject({ damaged: 6 });
    expect(said((await read()).lines)).toEqual(['one', 'two', 'three']);
  });

  it('leaves kinds of a newer codey and dispatches without sound hooks out', async () => {
    await write(['one']);
    const line = (await readFile(inProject(), 'utf8')).trim();
    await appendFile(inProject(), `${line.replace('"notice"', '"constructor"')}\n`);
    const dispatch =
      '"kind":"dispatch","dispatch":"d","event":"Stop","agent":"main","turn":"1","verdict":"none","ms":1';
    await appendFile(inProject(), `${line.replace('"kind":"notice"', `${dispatch},"hooks":[null]`)}\n`);
    expect((await read()).lines).toHaveLength(1);
  });

  it('gives one session, and one kind', async () => {
    await write(['one']);
    await write(['two'], { session: 's2' });
    expect(said((await read({ session: 's2' })).lines)).toEqual(['two']);
    expect((await read({ kinds: ['gate'] })).lines).toEqual([]);
  });

  it('merges what stands in the project with what stands in the home directory', async () => {
    await write(['one']);
    await rm(join(root, '.codey', '.gitignore'));
    const aside = join(root, 'aside');
    await rename(join(root, '.codey'), aside);
    await writeFile(join(root, '.codey'), '');
    await write(['two']);
    await rm(join(root, '.codey'));
    await rename(aside, join(root, '.codey'));
    await write(['three']);
    expect(said((await read()).lines)).toEqual(['one', 'two', 'three']);
  });

  it('shows no line twice and none too few when the file is rotated meanwhile', async () => {
    const limits = { bytes: 2000, keep: 100 };
    const journal = await open({ limits });
    for (let i = 0; i < 100; i++) {
      journal.append(notice(`${i}`));
      await journal.flush();
    }
    const seen: string[] = [];
    for await (const line of readJournal({ projectRoot: root, home })) {
      if (line.n % 10 === 0) {
        for (let i = 0; i < 20; i++) journal.append(notice('later'));
        await journal.flush();
      }
      if (line.kind === 'notice' && line.what !== 'later') seen.push(line.what);
    }
    await journal.close();
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
  });
});

describe('the id of a project', () => {
  it('is readable, safe as a name and its own for each path', () => {
    expect(projectId('/srv/My App (2)')).toMatch(/^My-App-2--[0-9a-f]{12}$/);
    expect(projectId('/srv/.hidden')).toMatch(/^hidden-[0-9a-f]{12}$/);
    expect(projectId('/')).toMatch(/^[0-9a-f]{12}$/);
    expect(projectId('/a/app')).not.toBe(projectId('/b/app'));
    // What is kept under a name must be found again by every later version.
    for (const path of ['/', '/srv/app', '/srv/über', `/${'long/'.repeat(40)}app`]) {
      const digest = createHash('sha256').update(path).digest('hex').slice(0, 12);
      expect(projectId(path)).toMatch(new RegExp(`(?:^|-)${digest}$`));
    }
  });
});
