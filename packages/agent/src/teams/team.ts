// One team as a process uses it: its mail, its tasks, and who of its members is alive.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { acquireLock, describeProcess, diskFiles, inspectLock, type Lock, openForAppend } from '@codey/hooks';
import { takeLostLines } from './lines.ts';
import { countUnread, type Inbox, type Mail, openInbox, readMail, sendMail } from './mailbox.ts';
import { leadName } from './names.ts';
import { sayLostMail, sayLostTask } from './say-lost.ts';
import { openTaskList, type TaskList } from './task-list.ts';
import { teamFiles } from './team-files.ts';
import { createTeamLock } from './team-lock.ts';

/** A name in the team, held by one agent of one process until it leaves or that process is gone. */
export interface Seat {
  readonly name: string;
  readonly inbox: Inbox;
  /** Its tasks are the others' from then on. */
  leave(): Promise<void>;
}

/** All of it throws what the file system throws. */
export interface Team {
  readonly name: string;
  readonly folder: string;
  readonly tasks: TaskList;
  send(mail: Pick<Mail, 'from' | 'to' | 'text'>): Promise<Mail>;
  /** All mail of all members, oldest first. */
  history(): Promise<readonly Mail[]>;
  /** Everybody who ever had a seat here or got mail. */
  members(): Promise<readonly string[]>;
  /** Undefined where somebody of that name lives already, here or in another process. */
  enter(member: string): Promise<Seat | undefined>;
  /** The first name of a lead that is free, `wanted` before all others. */
  lead(wanted?: string): Promise<Seat>;
  isAlive(member: string): Promise<boolean>;
  /** Messages it has not read. */
  unread(member: string): Promise<number>;
  /** Gives the tasks of members that are gone back to the others; returns their ids. */
  releaseOrphans(): Promise<readonly string[]>;
  /** Gives all tasks that `member` has back; returns their ids. */
  releaseTasksOf(member: string): Promise<readonly string[]>;
  /** What writers that were killed left unfinished, in sentences, each said once. */
  takeLost(): Promise<readonly string[]>;
  /** Names of members beside `self` that are alive and keep the team from being removed; none where it is gone. */
  remove(self: string): Promise<readonly string[]>;
}

export interface TeamOptions {
  readonly teamsFolder: string;
  /** Passed `isTeamName`. */
  readonly name: string;
  /** Whose agents come: tasks and mail of an earlier session are not taken for this one's. */
  readonly session: string;
  readonly pid: number;
  readonly date: () => Date;
}

export async function openTeam({ teamsFolder, name, session, pid, date }: TeamOptions): Promise<Team> {
  const files = teamFiles(teamsFolder, name);
  const underLock = createTeamLock(files.lock, pid);
  const tasks = openTaskList(files.tasks, underLock);

  async function makeFolders(): Promise<void> {
    await mkdir(files.mailFolder, { recursive: true, mode: 0o700 });
    await mkdir(files.membersFolder, { recursive: true, mode: 0o700 });
  }

  /** Not between the looking and the removing of whoever removes the team: then it is made anew. */
  async function sit(member: string, again = true): Promise<Seat | undefined> {
    try {
      const lock = await underLock(() => takeSeat(member));
      if (!lock.held) return undefined;
      await tasks.release(async (task) => task.owner === member && task.session !== session);
      return { name: member, inbox: openInbox(files.mailbox(member), session), leave: lock.release };
    } catch (error) {
      if (!again || !isMissing(error)) throw error;
      await makeFolders();
      return sit(member, false);
    }
  }

  async function takeSeat(member: string): Promise<Lock> {
    const lock = await acquireLock(files.seat(member), describeProcess(pid));
    // The mailbox is what makes a member known, also to whoever writes before anybody wrote.
    if (lock.held) await (await openForAppend(diskFiles, files.mailbox(member))).close();
    return lock;
  }

  async function members(): Promise<readonly string[]> {
    const names = await readdir(files.mailFolder).catch(() => []);
    return names
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => file.slice(0, -'.jsonl'.length))
      .sort();
  }

  const isAlive = async (member: string): Promise<boolean> =>
    (await inspectLock(files.seat(member))).kind === 'held';

  await makeFolders();
  return {
    name,
    folder: files.folder,
    tasks,
    send: (mail) => sendMail(files.mailbox(mail.to), mail, date()),
    async history() {
      const boxes = await Promise.all((await members()).map((member) => readMail(files.mailbox(member))));
      return boxes.flat().sort((one, other) => one.time.localeCompare(other.time));
    },
    members,
    enter: sit,
    async lead(wanted) {
      const preferred = wanted === undefined ? undefined : await sit(wanted);
      if (preferred !== undefined) return preferred;
      for (let number = 1; ; number++) {
        const seat = await sit(leadName(number));
        if (seat !== undefined) return seat;
      }
    },
    isAlive,
    unread: async (member) => countUnread(files.mailbox(member), await isAlive(member)),
    releaseOrphans: () => tasks.release(async ({ owner }) => !(await isAlive(owner))),
    releaseTasksOf: (member) => tasks.release(async ({ owner }) => owner === member),
    async takeLost() {
      const lost = (await takeLostLines(files.tasks)).map(sayLostTask);
      for (const member of await members()) {
        const lines = await takeLostLines(files.mailbox(member));
        lost.push(...lines.map((line) => sayLostMail(line, member)));
      }
      return lost;
    },
    remove: (self) =>
      underLock(async () => {
        const alive: string[] = [];
        for (const member of await members()) {
          if (member !== self && (await isAlive(member))) alive.push(member);
        }
        if (alive.length > 0) return alive;
        // At once, so that whoever comes meanwhile finds all of it or nothing. No team can have this name.
        const gone = `${files.folder}.${randomUUID()}`;
        await rename(files.folder, gone);
        await rm(gone, { recursive: true, force: true });
        return [];
      }),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
