// Unpacks the archive of a package: plain files and folders, every path below the folder, no links at all.
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CopyLimits, copyLimits } from './copy-tree.ts';

const blockSize = 512;
/** Of a name that is kept in a block of its own. */
const longestName = 64 * 1024;

/**
 * `to` exists and is empty. Throws an error that names the entry and what is wrong with it; what was unpacked until then
 * is for the caller to remove.
 */
export async function untar(archive: string, to: string, limits: CopyLimits = copyLimits): Promise<void> {
  // Not imported above: a session unpacks nothing.
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  const blocks = new BlockReader(createReadStream(archive).pipe(createGunzip()));
  let files = 0;
  let bytes = 0;
  /** A name too long for a header stands in an entry before the one it belongs to. */
  let longName: string | undefined;
  for (;;) {
    const header = await blocks.take(blockSize);
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const entry = readHeader(header);
    files += 1;
    bytes += entry.size;
    if (files > limits.files)
      throw new Error(`the archive holds more than ${limits.files.toLocaleString('en-US')} entries`);
    if (bytes > limits.bytes)
      throw new Error(`the archive unpacks to more than ${Math.floor(limits.bytes / 1024 / 1024)} MiB`);
    switch (entry.type) {
      case 'x':
        longName = paxPath(await readText(blocks, entry)) ?? longName;
        break;
      case 'L':
        longName = (await readText(blocks, entry)).replace(/\0.*$/s, '');
        break;
      case 'g':
        await skip(blocks, entry.size);
        break;
      case '0':
      case '\0':
      case '7':
        await writeEntry(blocks, entry, placeOf(longName ?? entry.name, to));
        longName = undefined;
        break;
      case '5':
        await mkdir(placeOf(longName ?? entry.name, to), { recursive: true });
        longName = undefined;
        break;
      case '1':
      case '2':
        throw new Error(
          `the archive holds a link, ${JSON.stringify(longName ?? entry.name)}, which could lead anywhere`,
        );
      default:
        throw new Error(
          `the archive holds ${JSON.stringify(longName ?? entry.name)}, which is neither a file nor a folder`,
        );
    }
  }
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly executable: boolean;
}

function readHeader(block: Buffer): Entry {
  const field = (start: number, length: number): string =>
    block
      .subarray(start, start + length)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  const octal = (start: number, length: number): number =>
    Number.parseInt(field(start, length).trim() || '0', 8);
  const size = octal(124, 12);
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (sum !== octal(148, 8) || !Number.isSafeInteger(size) || size < 0)
    throw new Error('the archive is damaged, or is no tar archive');
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : '';
  return {
    name: prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`,
    size,
    type: String.fromCharCode(block[156] ?? 0),
    executable: (octal(100, 8) & 0o111) !== 0,
  };
}

/** Where an entry goes. No name may lead out, not even by a way that leads back in. */
function placeOf(name: string, to: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0') || parts.includes('..'))
    throw new Error(`the archive holds ${JSON.stringify(name)}, which leads out of it`);
  return join(to, ...parts);
}

async function writeEntry(blocks: BlockReader, { size, executable }: Entry, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  // Never over something that is there: two entries of one name would let the second go through the first.
  const handle = await open(target, 'wx', 0o644);
  try {
    for await (const piece of blocks.pieces(size)) await handle.write(piece);
  } finally {
    await handle.close();
  }
  if (executable) await chmod(target, 0o755);
}

async function readText(blocks: BlockReader, { size }: Entry): Promise<string> {
  if (size > longestName) throw new Error('the archive holds a name that is too long');
  const pieces: Buffer[] = [];
  for await (const piece of blocks.pieces(size)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

async function skip(blocks: BlockReader, size: number): Promise<void> {
  for await (const _ of blocks.pieces(size));
}

/** `length key=value` lines; the length counts itself. */
function paxPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}

/** Takes a stream apart into pieces of the wanted length. */
class BlockReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the stream. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#rest.length < length) {
      const { value, done } = await this.#source.next();
      if (done === true) {
        if (this.#rest.length === 0) return undefined;
        throw new Error('the archive ends in the middle of a file');
      }
      this.#rest = Buffer.concat([this.#rest, value]);
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** The content of one entry, with the padding behind it passed over. */
  async *pieces(size: number): AsyncGenerator<Buffer> {
    let left = size;
    while (left > 0) {
      const piece = await this.take(Math.min(left, 64 * 1024));
      if (piece === undefined) throw new Error('the archive ends in the middle of a file');
      left -= piece.length;
      yield piece;
    }
    const padding = (blockSize - (size % blockSize)) % blockSize;
    if (padding > 0) await this.take(padding);
  }
}
