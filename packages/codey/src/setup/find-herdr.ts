// Whether herdr is on this machine. Looks at two variables and at files; starts nothing.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

export async function findHerdr(environment: Readonly<Record<string, string>>): Promise<boolean> {
  const candidates = [
    environment.HERDR_BIN_PATH ?? '',
    ...(environment.PATH ?? '')
      .split(path.delimiter)
      .map((directory) => (directory === '' ? '' : path.join(directory, 'herdr'))),
  ];
  for (const candidate of candidates) if (candidate !== '' && (await isProgram(candidate))) return true;
  return false;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
