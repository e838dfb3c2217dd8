// `/files`: the files this session read and changed.
import type { Block } from '../state/block.ts';
import { editOf } from '../state/edit-of.ts';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const files: Command = {
  name: 'files',
  summary: 'the files this session read and changed',
  run({ tab, reply, say }) {
    const touched = touchedFiles(tab()?.transcript.blocks ?? []);
    if (touched.length === 0) return say('plain', 'No file was read or changed yet.');
    reply('Files', table(touched.map(({ file, changed }) => [changed ? 'changed' : 'read', file])));
  },
};

export interface TouchedFile {
  readonly file: string;
  readonly changed: boolean;
}

/** In the order in which they were first touched; a call that failed or never ran touched nothing. */
export function touchedFiles(blocks: readonly Block[]): readonly TouchedFile[] {
  const touched = new Map<string, TouchedFile>();
  for (const block of blocks) {
    if (block.kind !== 'call' || block.end.kind !== 'done' || block.end.failed) continue;
    const { path: file } = block.input;
    const changed = editOf(block.tool, block.input) !== undefined;
    if (typeof file !== 'string' || !(changed || block.tool === 'read_file')) continue;
    touched.set(file, { file, changed: changed || touched.get(file)?.changed === true });
  }
  return [...touched.values()];
}
