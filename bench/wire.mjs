// A server in a process of its own that answers the two turns in Anthropic's streaming format, so that it takes no time of
// the program that is measured.
// @ts-check
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

/**
 * Milliseconds until the second request began: since the first answer had been given, and since the tool in between had
 * its result, which is the time it was then.
 * @typedef {{ readonly sinceAnswer: number, readonly sinceResult: number }} Gap
 */

const self = fileURLToPath(import.meta.url);

export async function startWire() {
  const child = fork(self, ['serve'], { stdio: 'inherit' });
  /** @type {{ url: string }} */
  const { url } = await new Promise((resolve) => child.once('message', resolve));
  return {
    url,
    /** What came before each second request since the last call. @returns {Promise<readonly Gap[]>} */
    gaps: () =>
      new Promise((resolve) => {
        child.once('message', (/** @type {{ gaps: readonly Gap[] }} */ message) => resolve(message.gaps));
        child.send('gaps');
      }),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.disconnect();
      }),
  };
}

if (process.argv[2] === 'serve' && process.send !== undefined) serve();

function serve() {
  /** @type {Gap[]} */
  let gaps = [];
  let answered = 0;
  const server = createServer(async (request, response) => {
    const now = performance.now();
    let body = '';
    for await (const piece of request) body += piece;
    const second = body.includes('"tool_result"');
    if (second)
      gaps.push({
        sinceAnswer: now - answered,
        sinceResult: performance.timeOrigin + now - resultTime(body),
      });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of second ? answerEvents() : callEvents())
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end(() => {
      answered = performance.now();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
  });
  process.on('message', () => {
    process.send?.({ gaps });
    gaps = [];
  });
  process.on('disconnect', () => server.close(() => process.exit()));
}

/** @param {string} body @returns {number} Milliseconds since the epoch. */
function resultTime(body) {
  const [, seconds] = /(\d{10}\.\d+)/.exec(body.slice(body.indexOf('"tool_result"'))) ?? [];
  return Number(seconds) * 1000;
}

/** A line of plain words: what is kept compiled for most starts must not need the shell grammar. */
function callEvents() {
  const input = JSON.stringify({ command: 'date +%s.%N' });
  return message('tool_use', [
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'run_shell', input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: input } },
  ]);
}

function answerEvents() {
  return message('end_turn', [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'done' } },
  ]);
}

/** @param {string} reason @param {readonly { type: string, [field: string]: unknown }[]} content */
function message(reason, content) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-bench',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    ...content,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}
