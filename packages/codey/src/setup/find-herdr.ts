// Whether herdr is on this machine. Looks at two variables and at files; starts nothing.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export async function findHerdr(environment: Readonly<Record<string, string>>): Promise<boolean> {
  const candidates = [
    environment.HERDR_BIN_PATH ?? '',
    ...(environment.PATH ?? '')
      .split(delimiter)
      .map((directory) => (directory === '' ? '' : join(directory, 'herdr'))),
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
