// Bytes of UTF-8 as text, wherever they are cut: as much of the web's `TextDecoderStream` as model clients use.
import { PlainTransformStream } from './transform.ts';

export class PlainTextDecoderStream extends PlainTransformStream<Uint8Array, string> {
  constructor() {
    const decoder = new TextDecoder();
    super({
      transform(bytes, controller) {
        const text = decoder.decode(bytes, { stream: true });
        if (text !== '') controller.enqueue(text);
      },
      flush(controller) {
        const rest = decoder.decode();
        if (rest !== '') controller.enqueue(rest);
      },
    });
  }
}
