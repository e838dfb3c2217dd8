// Keeps the beginning of a stream as text and lets the rest pass.
import { StringDecoder } from 'node:string_decoder';

/** What a process prints on one of its streams: a stream of Node's or a `PipeReader`. */
export interface OutputStream {
  on(event: 'data', listener: (piece: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

export interface Collected {
  /** What was kept; from here on the stream is still read, but nothing is kept and nobody told. */
  finish(): string;
  truncated(): boolean;
  /** Bytes that came so far, kept or not. */
  bytes(): number;
}

/**
 * Keeps at most `cap` bytes. Invalid UTF-8 becomes replacement characters; a character split over two pieces does
 * not, nor does one the cap cuts through: it is left out. `onText` sees every piece.
 */
export function collect(stream: OutputStream, cap: number, onText?: (text: string) => void): Collected {
  const decode = createDecoder();
  const decodeLive = createDecoder();
  const kept: string[] = [];
  let bytes = 0;
  let finished = false;

  stream.on('data', (piece: Buffer) => {
    if (finished) return;
    const room = cap - bytes;
    bytes += piece.length;
    // Decoded at once: small strings on the heap cost a later spawn nothing, buffers outside it do.
    if (room > 0) kept.push(decode.write(piece.length > room ? piece.subarray(0, room) : piece));
    onText?.(decodeLive.write(piece));
  });
  // Reading may fail when the other side is killed; what came until then is what there is.
  stream.on('error', () => {});

  return {
    finish() {
      finished = true;
      return kept.join('') + (bytes <= cap ? decode.end() : '');
    },
    truncated: () => bytes > cap,
    bytes: () => bytes,
  };
}

/** Loads Node's decoder with the first piece that may end inside a character: what most processes print has no such. */
function createDecoder(): { write(piece: Buffer): string; end(): string } {
  let decoder: StringDecoder | undefined;
  return {
    write(piece) {
      if (decoder === undefined && (piece.at(-1) ?? 0) < 0x80) return piece.toString('utf8');
      decoder ??= new StringDecoder('utf8');
      return decoder.write(piece);
    },
    end: () => decoder?.end() ?? '',
  };
}
