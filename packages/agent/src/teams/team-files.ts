// Where a team keeps what must outlive its members: one folder a team, in the user's own.
import { join } from 'node:path';
import { promptFiles } from '@codey/hooks';

const { readdir } = promptFiles;

export interface TeamFiles {
  readonly folder: string;
  readonly tasks: string;
  /** Held for moments, by whoever changes a task, comes, or removes the team. */
  readonly lock: string;
  readonly mailFolder: string;
  readonly membersFolder: string;
  mailbox(member: string): string;
  /** Held while the member lives, by the process it lives in. */
  seat(member: string): string;
}

/** @param name passed `isTeamName`: it becomes part of a path */
export function teamFiles(teamsFolder: string, name: string): TeamFiles {
  const folder = join(teamsFolder, name);
  const mailFolder = join(folder, 'mail');
  const membersFolder = join(folder, 'members');
  return {
    folder,
    tasks: join(folder, 'tasks.jsonl'),
    lock: join(folder, 'team.lock'),
    mailFolder,
    membersFolder,
    mailbox: (member) => join(mailFolder, `${member}.jsonl`),
    seat: (member) => join(membersFolder, `${member}.lock`),
  };
}

/** Safe as the name of a folder, also where the file system does not tell case. */
export function isTeamName(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,39}$/.test(text);
}

/** Names of the teams there are, in order; none where the folder is missing. */
export async function listTeams(teamsFolder: string): Promise<readonly string[]> {
  const names = await readdir(teamsFolder).catch(() => []);
  return names.filter(isTeamName).sort();
}
