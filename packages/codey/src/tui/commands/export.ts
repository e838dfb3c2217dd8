// `/export`: the conversation as a Markdown file.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Block } from '../state/block.ts';
import { summaryOf } from '../widgets/call-block.ts';
import type { Command } from './command.ts';
import { codeBlock } from './table.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'write the conversation to a Markdown file',
  argument: '[file]',
  async run({ session, tab, say }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const { cwd, id, name } = session.facts();
    const file = resolve(cwd, argument !== '' ? argument : `codey-${id}.md`);
    try {
      const text = conversationText(name ?? `Session ${id}`, tab()?.transcript.blocks ?? []);
      await writeFile(file, text, { flag: 'wx' });
      say('plain', `The conversation is in ${file}.`);
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      const why = taken
        ? 'it is there already; name another file'
        : error instanceof Error
          ? error.message
          : String(error);
      say('error', `${file} was not written: ${why}`);
    }
  },
};

/** What was said and done, without what the screen itself told. */
export function conversationText(title: string, blocks: readonly Block[]): string {
  return `${[`# ${title}`, ...blocks.flatMap(blockText)].join('\n\n')}\n`;
}

function blockText(block: Block): readonly string[] {
  switch (block.kind) {
    case 'prompt':
      return ['## You', block.text];
    case 'answer':
      return block.agent === 'main'
        ? ['## Codey', block.text.trim()]
        : [`## ${block.agent}`, block.text.trim()];
    case 'call': {
      const head = `**${block.tool}** ${summaryOf(block)}`.trim();
      if (block.end.kind === 'denied') return [`${head} (not run: ${block.end.reason})`];
      return [
        head,
        ...(block.end.kind === 'done' && block.end.output !== '' ? [codeBlock(block.end.output)] : []),
      ];
    }
    case 'shell':
      return [codeBlock(`$ ${block.line}\n${block.output}`.trimEnd())];
    case 'reasoning':
    case 'hook':
    case 'notice':
    case 'reply':
      return [];
  }
}
