// Answers events over streams, as a command that is asked once or as a worker that is asked line by line.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Hook } from './define-hook.ts';
import { type Encoded, encodeAnswer } from './encode-answer.ts';
import { isObject } from '../config/is-object.ts';

/** Where a hook program reads and writes. */
export interface HookStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
}

/**
 * Resolves with the exit code when there is nothing left to answer. The first line says what it is spoken to as: the
 * request of a worker has an `id` and a `payload`, anything else is the event itself. A worker answers several requests
 * at once, in the order in which the answers come.
 */
export async function serveHooks(hooks: readonly Hook[], streams: HookStreams): Promise<0 | 1> {
  const lines = createInterface({ input: streams.input, crlfDelay: Number.POSITIVE_INFINITY });
  const answering = new Set<Promise<void>>();
  let code: 0 | 1 = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const asked = readLine(line);
    if (asked.kind !== 'request') {
      code = await answerOnce(hooks, asked, streams);
      break;
    }
    const answer = answerRequest(hooks, asked, streams.output);
    answering.add(answer);
    void answer.finally(() => answering.delete(answer));
  }
  lines.close();
  await Promise.all(answering);
  return code;
}

type Payload = Readonly<Record<string, unknown>>;

type Asked =
  | { readonly kind: 'request'; readonly id: number; readonly payload: Payload }
  | { readonly kind: 'event'; readonly payload: Payload }
  | { readonly kind: 'unreadable'; readonly why: string };

function readLine(line: string): Asked {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { kind: 'unreadable', why: `stdin is not JSON: ${sentence(error)}` };
  }
  if (!isObject(value)) return { kind: 'unreadable', why: 'stdin holds no JSON object' };
  const { id, payload } = value;
  return typeof id === 'number' && isObject(payload)
    ? { kind: 'request', id, payload }
    : { kind: 'event', payload: value };
}

async function answerOnce(
  hooks: readonly Hook[],
  asked: Exclude<Asked, { kind: 'request' }>,
  { output, errors }: HookStreams,
): Promise<0 | 1> {
  const said = asked.kind === 'event' ? await askHook(hooks, asked.payload) : { error: asked.why };
  if ('error' in said) {
    await write(errors, `${said.error}\n`);
    return 1;
  }
  if (said.output !== undefined) await write(output, `${JSON.stringify(said.output)}\n`);
  return 0;
}

async function answerRequest(
  hooks: readonly Hook[],
  { id, payload }: Extract<Asked, { kind: 'request' }>,
  output: Writable,
): Promise<void> {
  await write(output, `${JSON.stringify({ id, ...(await askHook(hooks, payload)) })}\n`);
}

type Said = { readonly output?: Encoded } | { readonly error: string };

/** The hook of the event; where there is none the settings name a program that is not for this event. */
async function askHook(hooks: readonly Hook[], payload: Payload): Promise<Said> {
  const hook = hooks.find(({ event }) => event === payload.event);
  if (hook === undefined) {
    const known = hooks.map(({ event }) => event).join(', ');
    return { error: `this program has hooks for ${known}, and was asked about ${String(payload.event)}` };
  }
  try {
    const output = encodeAnswer(hook.event, (await hook.ask(payload)) ?? {});
    return output === undefined ? {} : { output };
  } catch (error) {
    return { error: sentence(error) };
  }
}

/** A reader that has gone away needs no answer. */
function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
