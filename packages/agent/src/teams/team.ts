// One team as a process uses it: its mail, its tasks, and who of its members is alive.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { acquireLock, describeProcess, diskFiles, inspectLock, openForAppend } from '@codey/hooks';
import { type Inbox, type Mail, openInbox, readMail, sendMail } from './mailbox.ts';
import { openTaskList, type TaskList } from './task-list.ts';
import { teamFiles } from './team-files.ts';

/** All of it throws what the file system throws. */
export interface Team {
  readonly name: string;
  readonly folder: string;
  readonly tasks: TaskList;
  inbox(member: string): Inbox;
  send(mail: Pick<Mail, 'from' | 'to' | 'text'>): Promise<Mail>;
  /** All mail of all members, oldest first. */
  history(): Promise<readonly Mail[]>;
  /** Everybody who ever had a mailbox here. */
  members(): Promise<readonly string[]>;
  /** Undefined where the member lives already, here or in another process. */
  enter(member: string): Promise<(() => Promise<void>) | undefined>;
  isAlive(member: string): Promise<boolean>;
  /** Gives the tasks of members that are gone back to the others; returns their ids. */
  releaseOrphans(): Promise<readonly string[]>;
  /** Names of members that are alive and keep the team from being removed; none where it is gone. */
  remove(): Promise<readonly string[]>;
}

export interface TeamOptions {
  readonly teamsFolder: string;
  /** Passed `isTeamName`. */
  readonly name: string;
  readonly pid: number;
  readonly date: () => Date;
}

/** The agent that leads every team, whichever session it is in: it lives as long as somebody looks. */
export const lead = 'main';

export async function openTeam({ teamsFolder, name, pid, date }: TeamOptions): Promise<Team> {
  const files = teamFiles(teamsFolder, name);
  await mkdir(files.mailFolder, { recursive: true, mode: 0o700 });
  await mkdir(files.membersFolder, { recursive: true, mode: 0o700 });
  const tasks = openTaskList({ path: files.tasks, lock: files.tasksLock, pid });

  async function members(): Promise<readonly string[]> {
    const names = await readdir(files.mailFolder).catch(() => []);
    return names
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => file.slice(0, -'.jsonl'.length))
      .sort();
  }

  const isAlive = async (member: string): Promise<boolean> =>
    member === lead || (await inspectLock(files.memberLock(member))).kind === 'held';

  return {
    name,
    folder: files.folder,
    tasks,
    inbox: (member) => openInbox(files.mailbox(member)),
    send: (mail) => sendMail(files.mailbox(mail.to), mail, date()),
    async history() {
      const boxes = await Promise.all((await members()).map((member) => readMail(files.mailbox(member))));
      return boxes.flat().sort((one, other) => one.time.localeCompare(other.time));
    },
    members,
    async enter(member) {
      const path = files.memberLock(member);
      do {
        const lock = await acquireLock(path, describeProcess(pid));
        if (lock.held) {
          // The mailbox is what makes a member known, also to whoever writes before anybody wrote.
          await (await openForAppend(diskFiles, files.mailbox(member))).close();
          return lock.release;
        }
        // Of a member that died another process may be taking the lock over at this moment.
      } while ((await inspectLock(path)).kind !== 'held');
      return undefined;
    },
    isAlive,
    async releaseOrphans() {
      const { list } = await tasks.read();
      const released: string[] = [];
      for (const { id, owner, status } of list.values()) {
        if (status !== 'in_progress' || owner === null || (await isAlive(owner))) continue;
        const changed = await tasks.change({ kind: 'release', id, by: owner });
        if (changed.kind === 'changed') released.push(id);
      }
      return released;
    },
    async remove() {
      const alive: string[] = [];
      for (const member of await members()) {
        if (member !== lead && (await isAlive(member))) alive.push(member);
      }
      if (alive.length === 0) await rm(files.folder, { recursive: true, force: true });
      return alive;
    },
  };
}
