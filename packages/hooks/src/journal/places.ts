// The two directories a journal can stand in: the project's own, or the user's folder for that project.
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorCode, type Files } from './files.ts';
import { ensureIgnored } from './ignore.ts';
import { projectFolder } from './project-folder.ts';

export const journalName = 'events.jsonl';

export interface JournalPlace {
  /** As a person knows it. */
  readonly label: string;
  /** Makes the directory where it is missing and gives its real path; throws when it may not or cannot be used. */
  prepare(files: Files): Promise<string>;
  /** The real path of the directory; undefined when it is missing or may not be used. */
  locate(files: Files): Promise<string | undefined>;
}

/** In the order in which they are tried. `home` is the user's home directory. */
export function journalPlaces(projectRoot: string, home?: string): readonly JournalPlace[] {
  const inside = inProject(projectRoot);
  return home === undefined ? [inside] : [inside, inHome(home, projectRoot)];
}

function inProject(root: string): JournalPlace {
  const directory = join(root, '.codey');
  return {
    label: join(directory, journalName),
    async prepare(files) {
      await files.mkdir(directory).catch(ignoreExisting);
      const real = await realInside(files, root, directory);
      await ensureIgnored(real, files);
      return real;
    },
    locate: (files) => realInside(files, root, directory).catch(() => undefined),
  };
}

function inHome(home: string, root: string): JournalPlace {
  const directory = projectFolder(home, root);
  return {
    label: join(directory, journalName),
    async prepare(files) {
      await files.mkdir(directory, { recursive: true, mode: 0o700 });
      return directory;
    },
    locate: async () => directory,
  };
}

/** A repository may bring `.codey` as a link: followed inside the project, refused where it would lead us out of it. */
async function realInside(files: Files, root: string, directory: string): Promise<string> {
  const [realRoot, real] = await Promise.all([files.realpath(root), files.realpath(directory)]);
  const path = relative(realRoot, real);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) {
    throw new Error(`${directory} is a link that leads out of the project, to ${real}`);
  }
  return real;
}

function ignoreExisting(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
