// How soon a key is seen while an answer streams in, and what drawing that stream costs.
// @ts-check
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spread } from '../measure.mjs';
import { createStage } from '../stage.mjs';
import { openTerminal } from '../terminal.mjs';

const self = fileURLToPath(import.meta.url);
const updatesASecond = 200;
/** Longer than all that is done meanwhile. */
const seconds = 15;
const watchedMs = 2_000;
const keys = 40;
/** Not a divisor of the time between two frames or updates, so that keys fall anywhere between them. */
const betweenKeysMs = 137;

if (process.argv[2] === 'stream' && process.send !== undefined) serve();

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function typing(rounds) {
  /** @type {Awaited<ReturnType<typeof typeIntoStream>>[]} */
  const runs = [];
  for (let round = 0; round < Math.min(rounds, 5); round += 1) runs.push(await typeIntoStream());
  const row = (
    /** @type {string} */ name,
    /** @type {readonly number[]} */ values,
    /** @type {string} */ unit,
  ) => ({
    name,
    ...spread(values),
    unit,
  });
  return [
    {
      ...row(
        `key to echo, ${updatesASecond} updates a second`,
        runs.flatMap(({ echoes }) => echoes),
        'ms',
      ),
      goal: 8,
    },
    {
      ...row(
        'frames drawn for them',
        runs.map(({ frames }) => frames),
        'a second',
      ),
      goal: 30,
    },
    row(
      'bytes drawn for them',
      runs.map(({ kilobytes }) => kilobytes),
      'KB a second',
    ),
    row(
      'CPU for them',
      runs.map(({ cpu }) => cpu),
      '% of a core',
    ),
  ];
}

async function typeIntoStream() {
  const stage = createStage();
  const { url, close } = await startStream();
  const terminal = openTerminal(['--model', 'anthropic/claude-bench'], {
    cwd: stage.project,
    env: stage.environment({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url }),
  });
  try {
    await terminal.see('1 project');
    terminal.write('go\r');
    await terminal.see('word 100 ');
    terminal.forget();
    const echoes = [];
    for (let typed = 'é'; typed.length <= keys; typed += 'éü'[typed.length % 2]) {
      const pressed = performance.now();
      terminal.write(typed.at(-1) ?? '');
      await terminal.see(typed);
      echoes.push(performance.now() - pressed);
      await sleep(betweenKeysMs);
    }
    return { echoes, ...(await watchStream(terminal)) };
  } finally {
    await terminal.hangUp();
    await close();
    stage.remove();
  }
}

/** What is drawn while nobody types. @param {ReturnType<typeof openTerminal>} terminal */
async function watchStream(terminal) {
  terminal.forget();
  const cpuBefore = terminal.cpuMs();
  const begun = performance.now();
  await sleep(watchedMs);
  const passed = (performance.now() - begun) / 1000;
  const drawn = terminal.written();
  return {
    // Every frame is one synchronised update.
    frames: (drawn.split('\u001b[?2026h').length - 1) / passed,
    kilobytes: Buffer.byteLength(drawn) / 1024 / passed,
    cpu: (terminal.cpuMs() - cpuBefore) / passed / 10,
  };
}

/** In a process of its own, so that it keeps its pace. */
async function startStream() {
  const child = fork(self, ['stream'], { stdio: 'inherit' });
  /** @type {{ url: string }} */
  const { url } = await new Promise((resolve) => child.once('message', resolve));
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.disconnect();
      }),
  };
}

/** An answer of Anthropic's, a word at a time. */
function serve() {
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (/** @type {{ type: string }} */ event) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-bench', content: [] };
    send({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } });
    send({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    const begun = performance.now();
    for (let sent = 0; sent < seconds * updatesASecond && !response.destroyed; ) {
      const due = ((performance.now() - begun) / 1000) * updatesASecond;
      for (; sent < due; sent += 1) {
        const text = `word ${sent} ${sent % 20 === 19 ? '\n\n' : ''}`;
        send({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
      }
      await sleep(1);
    }
    send({ type: 'content_block_stop', index: 0 });
    send({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
    send({ type: 'message_stop' });
    response.end();
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
  });
  process.on('disconnect', () => process.exit());
}
