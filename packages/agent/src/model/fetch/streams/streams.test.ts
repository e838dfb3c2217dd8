import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlainReadableStream } from './readable.ts';
import { PlainTextDecoderStream } from './text-decoder.ts';
import { PlainTransformStream } from './transform.ts';

/** The classes as the clients name them. */
interface Kind {
  readonly Readable: typeof PlainReadableStream;
  readonly Transform: typeof PlainTransformStream;
  readonly TextDecoder: typeof PlainTextDecoderStream;
}

const plain: Kind = {
  Readable: PlainReadableStream,
  Transform: PlainTransformStream,
  TextDecoder: PlainTextDecoderStream,
};
/** What the plain ones stand in for, and are held to by every test below. */
const nodes = {
  Readable: ReadableStream,
  Transform: TransformStream,
  TextDecoder: TextDecoderStream,
} as unknown as Kind;

/** Until everything that follows from what was done has happened: nothing in these streams waits for the outside. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function outcomeOf<Value>(
  work: Promise<Value>,
): Promise<{ readonly value: Value } | { readonly reason: unknown }> {
  return work.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  );
}

interface Fault {
  readonly stage: 'source' | 'controller' | 'lines' | 'parse' | 'parts' | 'flush';
  /** Before which of its chunks. */
  readonly at: number;
}

interface Scenario {
  readonly pieces: readonly Uint8Array[];
  /** Turns of the event loop that each piece, and each look at what comes out, is late. */
  readonly late: readonly number[];
  readonly fault?: Fault | undefined;
  /** After so many chunks the reader cancels. */
  readonly leaveAfter?: number | undefined;
  readonly tee: boolean;
}

interface Played {
  readonly chunks: readonly string[];
  /** How reading ended: undefined in good order, or with what it failed. */
  readonly failure: unknown;
  readonly pulls: number;
  /** Whether the source had nothing more to say, and what it was told. */
  readonly ended: boolean;
  readonly cancels: readonly unknown[];
}

/** The pipeline of the clients: bytes, wrapped once, as text, as lines, parsed, as parts of an answer. */
async function play(kind: Kind, { pieces, late, fault, leaveAfter, tee }: Scenario): Promise<Played> {
  const broken = (stage: Fault['stage'], at: number) => fault?.stage === stage && fault.at === at;
  const cancels: unknown[] = [];
  let pulls = 0;
  let ended = false;
  const body = new kind.Readable<Uint8Array>({
    async pull(controller) {
      const at = pulls;
      pulls += 1;
      for (let turn = late[at % late.length] ?? 0; turn > 0; turn -= 1) await settled();
      const piece = pieces[at];
      const breaks = broken('source', at) || broken('controller', at);
      if (!breaks && piece !== undefined) return controller.enqueue(piece);
      if (cancels.length > 0) return;
      ended = true;
      if (broken('source', at)) throw new Error('source');
      if (broken('controller', at)) controller.error('controller');
      else controller.close();
    },
    cancel: (reason) => void cancels.push(reason),
  });
  const parts = wrapped(kind, body)
    .pipeThrough(new kind.TextDecoder())
    .pipeThrough(new (linesOf(kind, (at) => broken('lines', at)))())
    .pipeThrough(counted(kind, 'parse', broken))
    .pipeThrough(
      new kind.Transform<string, string>({
        start: (controller) => controller.enqueue('start'),
        transform(line, controller) {
          if (broken('parts', line.length)) throw new Error('parts');
          for (const word of line.split(' ')) controller.enqueue(word);
        },
        async flush(controller) {
          await Promise.resolve();
          if (fault?.stage === 'flush') throw new Error('flush');
          controller.enqueue('end');
        },
      }),
    );
  const read = tee ? await withoutFirst(parts) : parts;
  const chunks: string[] = [];
  let failure: unknown;
  try {
    if (leaveAfter !== 0) {
      for await (const chunk of read) {
        chunks.push(chunk);
        if (chunks.length === leaveAfter) break;
        for (let turn = late[chunks.length % late.length] ?? 0; turn > 0; turn -= 1) await settled();
      }
    } else await read.cancel();
  } catch (error) {
    failure = error;
  }
  await settled();
  return { chunks, failure, pulls, ended, cancels };
}

/** As `wrapResponseBodyStream` of the clients does. */
function wrapped<Chunk>(kind: Kind, body: PlainReadableStream<Chunk>): PlainReadableStream<Chunk> {
  const reader = body.getReader();
  return new kind.Readable<Chunk>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          reader.releaseLock();
          controller.close();
        } else controller.enqueue(value);
      } catch (error) {
        reader.releaseLock();
        controller.error(`wrapped ${String(error)}`);
      }
    },
    async cancel(reason) {
      await reader.cancel(reason);
      reader.releaseLock();
    },
  });
}

/** As the parser of server-sent events does: a subclass that keeps its controller. */
function linesOf(kind: Kind, broken: (at: number) => boolean) {
  return class extends kind.Transform<string, string> {
    constructor() {
      let emit: (line: string) => void = () => {};
      let rest = '';
      let count = 0;
      super({
        start(controller) {
          emit = (line) => {
            count += 1;
            if (broken(count)) controller.error('lines');
            else controller.enqueue(line);
          };
        },
        transform(text) {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) emit(line);
        },
      });
    }
  };
}

/** As the clients read JSON: what is made of a chunk takes a moment. */
function counted(kind: Kind, stage: Fault['stage'], broken: (stage: Fault['stage'], at: number) => boolean) {
  let count = 0;
  return new kind.Transform<string, string>({
    async transform(line, controller) {
      await Promise.resolve();
      count += 1;
      if (broken(stage, count)) throw new Error(stage);
      // Some chunks come to nothing.
      if (line !== '') controller.enqueue(line);
    },
  });
}

/** As the clients look for an error at the beginning. */
async function withoutFirst(parts: PlainReadableStream<string>): Promise<PlainReadableStream<string>> {
  const [first, rest] = parts.tee();
  const reader = first.getReader();
  await reader.read();
  await outcomeOf(reader.read());
  void outcomeOf(reader.cancel());
  reader.releaseLock();
  return rest;
}

/** A conversation of lines with words, some of it no UTF-8, cut anywhere. */
const pieces = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('a b\n', 'grün', '✓\n', '🙂 x\n', '\n\n', '\uFEFF') },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
      ),
      { maxLength: 12 },
    ),
    fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 12 }),
  )
  .map(([said, cuts]) => {
    const bytes = Buffer.concat(said.map((part) => Buffer.from(part as Uint8Array)));
    const cut: Uint8Array[] = [];
    for (let from = 0, at = 0; from < bytes.length; at += 1) {
      const to = from + (cuts[at % cuts.length] ?? 0) + 1;
      cut.push(bytes.subarray(from, to));
      from = to;
    }
    return cut;
  });
const late = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 5 });
const fault = fc.record({
  stage: fc.constantFrom<Fault['stage']>('source', 'controller', 'lines', 'parse', 'parts', 'flush'),
  at: fc.nat({ max: 4 }),
});
const scenario = fc.record({ pieces, late, tee: fc.boolean() });

describe('a pipeline as the clients build it', () => {
  it('gives what Node’s gives, and asks its source for as much', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        expect(await play(plain, given)).toStrictEqual(await play(nodes, given));
      }),
    );
  });

  it('fails with what Node’s fails with, and loses nothing on the way that Node’s gives', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fault, async (given, broken) => {
        const [own, node] = [
          await play(plain, { ...given, fault: broken }),
          await play(nodes, { ...given, fault: broken }),
        ];
        expect(own.failure).toStrictEqual(node.failure);
        expect(own.chunks.slice(0, node.chunks.length)).toStrictEqual(node.chunks);
        expect(own.cancels).toStrictEqual(own.ended || own.failure === undefined ? [] : [own.failure]);
      }),
      { numRuns: 300 },
    );
  });

  it('left by its reader at any moment, tells its source so', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.nat({ max: 12 }), async (given, leaveAfter) => {
        const [own, node] = [
          await play(plain, { ...given, leaveAfter }),
          await play(nodes, { ...given, leaveAfter }),
        ];
        expect(own.chunks).toStrictEqual(node.chunks);
        // Node's may fail here, or tell its source of a failure, where a step in between just gave a chunk to nobody.
        expect(own.failure).toBe(undefined);
        const reason = given.tee ? [undefined, undefined] : undefined;
        expect(own.cancels).toStrictEqual(own.ended ? [] : [reason]);
      }),
    );
  });
});

describe.each([
  ['Node’s', nodes],
  ['the plain', plain],
] as const)('%s streams', (_, kind) => {
  const { Readable, Transform, TextDecoder } = kind;
  const from = <Chunk>(...chunks: readonly Chunk[]) =>
    new Readable<Chunk>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  const all = async <Chunk>(stream: AsyncIterable<Chunk>) => {
    const chunks: Chunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };

  it.each([
    ['of one to four bytes', Buffer.from('aä✓🙂z')],
    ['behind a byte order mark', Buffer.from('\uFEFFa\uFEFFb')],
    ['that are none', Buffer.from([0x61, 0xff, 0xe2, 0x9c, 0x62, 0xf0, 0x9f])],
  ])('decode characters %s, cut at every byte', async (_name, bytes) => {
    const whole = new globalThis.TextDecoder().decode(bytes);
    for (let at = 0; at <= bytes.length; at += 1) {
      const pieces = from<Uint8Array>(bytes.subarray(0, at), bytes.subarray(at));
      const texts = await all(pieces.pipeThrough(new TextDecoder()));
      expect(texts.join('')).toBe(whole);
      expect(texts).not.toContain('');
    }
  });

  it('give a chunk to whoever waits, in the order of asking', async () => {
    let push: (chunk: number) => void = () => {};
    let close: () => void = () => {};
    const reader = new Readable<number>({
      start(controller) {
        push = (chunk) => controller.enqueue(chunk);
        close = () => controller.close();
      },
    }).getReader();
    const reads = [reader.read(), reader.read(), reader.read()];
    push(1);
    push(2);
    close();
    expect((await Promise.all(reads)).map(({ value }) => value)).toStrictEqual([1, 2, undefined]);
    expect(() => push(3)).toThrow(TypeError);
    expect(close).toThrow(TypeError);
  });

  it('give what is left when their source has ended, and forget it when that failed', async () => {
    const ended = from(1, 2).getReader();
    expect([await ended.read(), await ended.read(), await ended.read()]).toStrictEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: true, value: undefined },
    ]);
    const failed = new Readable<number>({
      start(controller) {
        controller.enqueue(1);
        controller.error('broken');
        controller.error('again');
        expect(controller.desiredSize).toBe(null);
      },
    }).getReader();
    expect(await outcomeOf(failed.read())).toStrictEqual({ reason: 'broken' });
    expect(await outcomeOf(failed.read())).toStrictEqual({ reason: 'broken' });
    expect(await outcomeOf(failed.cancel())).toStrictEqual({ reason: 'broken' });
  });

  it('may be cancelled, or fail, between their end and the last chunk', async () => {
    const told: unknown[] = [];
    let fail: () => void = () => {};
    const ended = () =>
      new Readable<number>({
        start(controller) {
          controller.enqueue(1);
          controller.close();
          fail = () => controller.error('late');
        },
        cancel: (reason) => void told.push(reason),
      }).getReader();
    const left = ended();
    await left.cancel('enough');
    expect(told).toStrictEqual(['enough']);
    expect(await left.read()).toStrictEqual({ done: true, value: undefined });
    const failed = ended();
    fail();
    expect(await outcomeOf(failed.read())).toStrictEqual({ reason: 'late' });
  });

  it('fail with what their start fails with, and ask for nothing before it is done', async () => {
    const failing = new Readable({ start: async () => Promise.reject('no start') });
    expect(await outcomeOf(all(failing))).toStrictEqual({ reason: 'no start' });
    let begin: () => void = () => {};
    const asked: string[] = [];
    const slow = new Readable<string>({
      async start() {
        await new Promise<void>((resolve) => {
          begin = resolve;
        });
        asked.push('start');
      },
      pull(controller) {
        asked.push('pull');
        controller.enqueue('chunk');
        controller.close();
      },
    });
    const chunks = all(slow);
    await settled();
    expect(asked).toStrictEqual([]);
    begin();
    expect(await chunks).toStrictEqual(['chunk']);
    expect(asked).toStrictEqual(['start', 'pull']);
  });

  it('ask for one chunk ahead, and not again while a source is busy', async () => {
    const sizes: (number | null)[] = [];
    const finish: (() => void)[] = [];
    const reader = new Readable<number>({
      pull(controller) {
        sizes.push(controller.desiredSize);
        return new Promise<void>((resolve) => {
          finish.push(() => {
            controller.enqueue(sizes.length);
            sizes.push(controller.desiredSize);
            resolve();
          });
        });
      },
    }).getReader();
    const reads = [reader.read(), reader.read()];
    await settled();
    expect(finish).toHaveLength(1);
    finish[0]?.();
    await settled();
    expect(finish).toHaveLength(2);
    finish[1]?.();
    await Promise.all(reads);
    await settled();
    expect(finish).toHaveLength(3);
    finish[2]?.();
    await settled();
    expect(finish).toHaveLength(3);
    expect(sizes).toStrictEqual([1, 1, 1, 1, 1, 0]);
  });

  it('have one reader at a time, which may leave them to another', async () => {
    const stream = new Readable<number>();
    const reader = stream.getReader();
    expect(() => stream.getReader()).toThrow(TypeError);
    expect(await outcomeOf(stream.cancel())).toMatchObject({ reason: { name: 'TypeError' } });
    const waiting = outcomeOf(reader.read());
    reader.releaseLock();
    reader.releaseLock();
    expect(await waiting).toMatchObject({ reason: { name: 'TypeError' } });
    expect(await outcomeOf(reader.read())).toMatchObject({ reason: { name: 'TypeError' } });
    expect(await outcomeOf(reader.cancel())).toMatchObject({ reason: { name: 'TypeError' } });
    stream.getReader();
  });

  it('end for whoever waits when they are cancelled, once, and say what came of it', async () => {
    const told: unknown[] = [];
    const reader = new Readable<number>({
      cancel(reason) {
        told.push(reason);
        throw new Error('cannot');
      },
    }).getReader();
    const waiting = reader.read();
    expect(await outcomeOf(reader.cancel('enough'))).toStrictEqual({ reason: new Error('cannot') });
    expect(await waiting).toStrictEqual({ done: true, value: undefined });
    expect(await outcomeOf(reader.cancel('again'))).toStrictEqual({ value: undefined });
    expect(told).toStrictEqual(['enough']);
  });

  it.each(['break', 'throw', 'return'] as const)('are cancelled by a loop left with %s', async (way) => {
    const told: unknown[] = [];
    const stream = new Readable<number>({
      pull: (controller) => controller.enqueue(1),
      cancel: (reason) => void told.push(reason),
    });
    const loop = async () => {
      for await (const chunk of stream) {
        if (way === 'throw') throw new Error('left');
        if (way === 'return') return chunk;
        break;
      }
      return 0;
    };
    await outcomeOf(loop());
    expect(told).toStrictEqual([undefined]);
    expect(await stream.getReader().read()).toStrictEqual({ done: true, value: undefined });
  });

  it('may be read by another after a loop over one that failed', async () => {
    const stream = new Readable({ start: (controller) => controller.error('broken') });
    expect(await outcomeOf(all(stream))).toStrictEqual({ reason: 'broken' });
    expect(await outcomeOf(stream.getReader().read())).toStrictEqual({ reason: 'broken' });
  });

  it('give both branches everything, whoever asks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 9 })), fc.array(fc.nat({ max: 1 })), async (chunks, turns) => {
        const branches = from(...chunks).tee();
        const readers = branches.map((branch) => branch.getReader());
        const got: [unknown[], unknown[]] = [[], []];
        const reads = turns.map(async (turn) => got[turn]?.push((await readers[turn]?.read())?.value));
        await Promise.all(reads);
        for (const [turn, reader] of readers.entries()) {
          reader.releaseLock();
          const asked = turns.filter((other) => other === turn).length;
          const rest = await all(branches[turn] as PlainReadableStream<number>);
          const expected = chunks
            .slice(0, asked)
            .concat(Array(Math.max(0, asked - chunks.length)).fill(undefined));
          expect(got[turn]).toStrictEqual(expected);
          expect(rest).toStrictEqual(chunks.slice(asked));
        }
      }),
    );
  });

  it('cancel their source when both branches are cancelled, and only then say so', async () => {
    const told: unknown[] = [];
    const [one, other] = new Readable({ cancel: (reason) => void told.push(reason) }).tee();
    let said = false;
    const first = one.cancel('one').then(() => {
      said = true;
    });
    await settled();
    expect([said, told]).toStrictEqual([false, []]);
    await other.cancel('other');
    await first;
    expect(told).toStrictEqual([['one', 'other']]);
  });

  it('let go of a branch that was left when the source ends or fails', async () => {
    const [left, rest] = from(1).tee();
    const ended = left.cancel();
    expect(await all(rest)).toStrictEqual([1]);
    await ended;
    const [gone, failing] = new Readable({ pull: async () => Promise.reject('broken') }).tee();
    const failed = gone.cancel();
    expect(await outcomeOf(all(failing))).toStrictEqual({ reason: 'broken' });
    await failed;
  });

  it('flush nothing for a reader who left, and end once when a flush fails them', async () => {
    let flushes = 0;
    const waiting = new Readable<number>().pipeThrough(
      new Transform<number, number>({
        transform() {},
        flush() {
          flushes += 1;
        },
      }),
    );
    const reader = waiting.getReader();
    const read = reader.read();
    await settled();
    await reader.cancel();
    expect(await read).toStrictEqual({ done: true, value: undefined });
    await settled();
    expect(flushes).toBe(0);
    const failing = from(1).pipeThrough(
      new Transform<number, number>({ transform() {}, flush: (controller) => controller.error('not whole') }),
    );
    expect(await outcomeOf(all(failing))).toStrictEqual({ reason: 'not whole' });
  });

  it('do not start a transformer that cannot start', () => {
    const start = () => {
      throw new Error('no start');
    };
    expect(() => new Transform({ start, transform() {} })).toThrow('no start');
  });
});

it('the plain ones take from the network what is read, and two pieces ahead', async () => {
  let pulls = 0;
  const body = new PlainReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      controller.enqueue(Buffer.from('line\n'));
    },
  });
  const reader = wrapped(plain, body)
    .pipeThrough(new PlainTextDecoderStream())
    .pipeThrough(new (linesOf(plain, () => false))())
    .getReader();
  for (let read = 0; read < 5; read += 1) {
    await settled();
    expect(pulls).toBe(read + 2);
    await reader.read();
  }
});
