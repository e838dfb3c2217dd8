// Random bytes and identifiers from the system's own source: loading node:crypto for them takes a tenth of Node's start.
import { randomBytes as bytesOfCrypto } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A UUID of version 4, as `randomUUID` of `node:crypto` gives one. */
export function randomId(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Bytes that cannot be guessed; at most a few dozen at a time. */
export const randomBytes = createRandom('/dev/urandom');

/** Reads as many at once as a start needs; no byte is given out twice. */
export function createRandom(device: string): (size: number) => Buffer {
  let stock: Buffer = Buffer.alloc(0);
  return (size) => {
    if (stock.length < size) stock = readDevice(device, stockSize) ?? bytesOfCrypto(stockSize);
    const bytes = stock.subarray(0, size);
    stock = stock.subarray(size);
    return bytes;
  };
}

const stockSize = 512;

/** Undefined where the system has no such device, as in some sandboxes, or something else stands in its place. */
function readDevice(device: string, size: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(device, 'r');
    if (!fstatSync(descriptor).isCharacterDevice()) return undefined;
    const bytes = Buffer.alloc(size);
    return readSync(descriptor, bytes) === size ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
