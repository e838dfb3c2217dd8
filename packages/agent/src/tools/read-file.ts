// Reads a part of a text file.
import * as v from 'valibot';
import { recogniseBinary } from './binary.ts';
import { flagCut } from './cut-line.ts';
import { numberField, pathField } from './fields.ts';
import { explainFileError } from './file-errors.ts';
import { resolvePath } from './files.ts';
import { readLines } from './lines.ts';
import { openFile } from './open-file.ts';
import { count, outputCap } from './output.ts';
import description from './read-file.md';
import { cancelled, failed, ok } from './result.ts';
import { showName } from './show-name.ts';
import { defineTool, type ToolResult } from './tool.ts';

const mostLines = 2_000;
const longestLine = 2_000;
const input = v.strictObject({
  path: pathField('The file to read.'),
  offset: v.optional(numberField(1, Number.MAX_SAFE_INTEGER, 'First line to return, from 1.')),
  limit: v.optional(numberField(1, mostLines, 'How many lines to return at most.')),
});

export const readFile = defineTool({
  name: 'read_file',
  description,
  input,
  access: 'read',
  subject: ({ path }) => ({ kind: 'path', path }),
  async run({ path, offset = 1, limit = mostLines }, context) {
    const opened = await openFile(path, await resolvePath(path, context));
    if (opened.kind === 'refused') return failed(opened.message);
    const { handle } = opened;
    try {
      const binary = await recogniseBinary(handle);
      if (binary !== null) return failed(notText(path, binary));
      const part = createPart({ path, offset, limit });
      for await (const batch of readLines(handle, { longest: longestLine + 1, signal: context.signal })) {
        if (part.add(batch.lines, batch.valid) === 'full') break;
      }
      return part.result();
    } catch (error) {
      if (context.signal.aborted) return cancelled(`Reading ${showName(path)} was cancelled.`);
      return failed(explainFileError(error, path));
    } finally {
      await handle.close();
    }
  },
});

function notText(path: string, what: string): string {
  return `${showName(path)} is ${what}, which cannot be read as text. A command that knows its format may help, through run_shell.`;
}

interface Wanted {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

/** The lines from `offset` on, as many as fit. */
function createPart({ path, offset, limit }: Wanted) {
  const kept: string[] = [];
  let size = 0;
  let seen = 0;
  let more = false;
  let valid = true;
  let carriageReturns = 0;

  function keep(line: string): boolean {
    const ended = line.endsWith('\r') ? line.slice(0, -1) : line;
    const shown = flagCut(ended, longestLine);
    if (kept.length === limit || size + shown.length > outputCap) return false;
    if (ended !== line) carriageReturns += 1;
    size += shown.length + 1;
    kept.push(shown);
    return true;
  }

  function notes(): readonly string[] {
    const last = offset + kept.length - 1;
    return [
      ...(more ? [`Lines ${offset} to ${last}; the file goes on: continue with offset ${last + 1}.`] : []),
      ...(carriageReturns > 0 ? ['Lines end in CRLF, which edit_file keeps.'] : []),
      ...(valid ? [] : ['Not all of the file is UTF-8; other bytes are shown as \ufffd.']),
    ];
  }

  return {
    add(lines: readonly string[], isValid: boolean): 'full' | 'open' {
      const skipped = Math.min(Math.max(offset - 1 - seen, 0), lines.length);
      seen += lines.length;
      if (skipped < lines.length && !isValid) valid = false;
      for (let index = skipped; index < lines.length; index++) {
        if (keep(lines[index] ?? '')) continue;
        more = true;
        return 'full';
      }
      return 'open';
    },
    result(): ToolResult {
      if (seen === 0) return ok(`[${showName(path)} is empty.]`);
      if (seen < offset) {
        return failed(
          `${showName(path)} has ${count(seen, 'line')}, so there is nothing at offset ${offset}.`,
        );
      }
      const header = notes().join(' ');
      return ok((header === '' ? '' : `[${header}]\n`) + kept.join('\n'));
    },
  };
}
