// Every provider once more, on the streams that its client has in the program's bundle.
import { vi } from 'vitest';
import { PlainReadableStream } from './fetch/streams/readable.ts';
import { PlainTextDecoderStream } from './fetch/streams/text-decoder.ts';
import { PlainTransformStream } from './fetch/streams/transform.ts';

vi.stubGlobal('ReadableStream', PlainReadableStream);
vi.stubGlobal('TransformStream', PlainTransformStream);
vi.stubGlobal('TextDecoderStream', PlainTextDecoderStream);
await import('./providers.wire.test.ts');
