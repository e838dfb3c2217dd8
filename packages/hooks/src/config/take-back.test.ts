import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeSetting } from './edit.ts';
import { localDisk } from './file-system.ts';
import { takeBackSetting, type Written } from './take-back.ts';

let home: string;
let file: string;

beforeEach(async () => {
  home = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'take-back-')));
  await fs.mkdir(path.join(home, '.codey'));
  file = path.join(home, '.codey/settings.json');
});
afterEach(() => fs.rm(home, { recursive: true, force: true }));

async function save(value: unknown): Promise<Written> {
  const result = await writeSetting({ scope: 'user', projectRoot: home, home, path: ['brief'], value });
  if (result.kind !== 'written') throw new Error(result.kind);
  return result;
}

const modeOf = async () => (await fs.stat(file)).mode & 0o7777;

it('gives the file its earlier bytes and mode back [koder.event.configchange-block]', async () => {
  const before = '\ufeff// mine\r\n{ "theme" : "dark", "other": [1,2] }';
  await fs.writeFile(file, before);
  await fs.chmod(file, 0o640);
  const written = await save(true);
  expect(await fs.readFile(file, 'utf8')).not.toBe(before);
  expect(await takeBackSetting(written)).toEqual({ kind: 'restored' });
  expect(await fs.readFile(file, 'utf8')).toBe(before);
  expect(await modeOf()).toBe(0o640);
  expect(await fs.readdir(path.dirname(file))).toEqual(['settings.json']);
});

it('removes a file that was not there [koder.event.configchange-block]', async () => {
  const written = await save(true);
  expect(await takeBackSetting(written)).toEqual({ kind: 'restored' });
  expect(await fs.readdir(path.dirname(file))).toEqual([]);
});

it('leaves a file alone that somebody changed since, or took away, and says so [koder.event.configchange-block]', async () => {
  await fs.writeFile(file, '{}');
  const written = await save(true);
  await fs.writeFile(file, '{"brief": true, "theme": "dark"}');
  const conflict = { kind: 'conflict', message: expect.stringContaining('was changed by somebody else') };
  expect(await takeBackSetting(written)).toEqual(conflict);
  expect(await fs.readFile(file, 'utf8')).toBe('{"brief": true, "theme": "dark"}');
  await fs.rm(file);
  expect(await takeBackSetting(written)).toEqual(conflict);
  expect(await fs.readdir(path.dirname(file))).toEqual([]);
});

it('says what to do when the disk refuses', async () => {
  await fs.writeFile(file, '{}');
  const written = await save(true);
  const full = { ...localDisk, open: () => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })) };
  expect(await takeBackSetting(written, full)).toEqual({
    kind: 'conflict',
    message: `${file} could not be given its earlier content back: ENOSPC; it still holds the refused setting, so correct it by hand`,
  });
});
