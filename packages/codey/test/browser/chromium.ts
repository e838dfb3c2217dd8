// A headless Chromium of its own, spoken to in its debugging protocol over two pipes.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { findProgram } from '@codey/hooks';

export interface Page {
  /** Resolves when the page has loaded. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  press(key: string): Promise<void>;
  colours(scheme: 'light' | 'dark'): Promise<void>;
  /** What the page complained about: errors, and addresses it asked for. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Undefined where none is installed. */
export function findChromium(): string | undefined {
  const place = { cwd: '/', path: process.env.PATH ?? '' };
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return names.map((name) => findProgram(name, place)).find((found) => found !== null) ?? undefined;
}

export async function openPage(program: string): Promise<Page> {
  const profile = mkdtempSync(path.join(tmpdir(), 'codey-chromium-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--window-size=1200,800',
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
  ];
  const child = spawn(program, [...flags, 'about:blank'], {
    // Beside its profile Chromium makes temporary folders that it does not always remove.
    env: { ...process.env, TMPDIR: profile },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const protocol = speak(child);
  const { targetInfos } = await protocol.ask('Target.getTargets');
  const target = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === 'page');
  const { sessionId } = await protocol.ask('Target.attachToTarget', {
    targetId: target?.targetId,
    flatten: true,
  });
  const ask = (method: string, params: object = {}) => protocol.ask(method, params, String(sessionId));
  await Promise.all(['Page.enable', 'Runtime.enable', 'Network.enable'].map((method) => ask(method)));
  return {
    async open(url) {
      const loaded = protocol.once('Page.loadEventFired');
      await ask('Page.navigate', { url });
      await loaded;
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await ask('Runtime.evaluate', { expression, returnByValue: true });
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value?: unknown }).value;
    },
    async press(key) {
      const text = key.length === 1 ? { text: key } : {};
      await ask('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text });
      await ask('Input.dispatchKeyEvent', { type: 'keyUp', key });
    },
    async colours(scheme) {
      await ask('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
    },
    complaints: protocol.complaints,
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      await protocol.ask('Browser.close');
      await ended;
      // Helpers that outlive it for a moment still write into the profile.
      endGroup(child.pid);
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

type Message = Readonly<Record<string, unknown>>;

/** Messages are JSON, each ended by a NUL. */
function speak(child: ChildProcess) {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const answers = new Map<number, { resolve(result: Message): void; reject(error: Error): void }>();
  const waiting = new Map<string, () => void>();
  const complaints: string[] = [];
  let rest = '';
  let id = 0;
  output.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (rest + piece).split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) hear(JSON.parse(text));
  });
  child.once('close', () => {
    for (const { reject } of answers.values()) reject(new Error('Chromium ended before it answered'));
  });

  function hear(message: Message): void {
    const { id: answered, method, params = {}, result = {}, error } = message;
    if (typeof answered === 'number') {
      const asked = answers.get(answered);
      answers.delete(answered);
      if (error === undefined) asked?.resolve(result as Message);
      else asked?.reject(new Error(JSON.stringify(error)));
      return;
    }
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params));
    if (method === 'Network.requestWillBeSent') {
      const { request } = params as { request: { url: string } };
      if (!request.url.startsWith('file:')) complaints.push(request.url);
    }
    waiting.get(String(method))?.();
  }

  return {
    complaints,
    once: (method: string) => new Promise<void>((resolve) => waiting.set(method, resolve)),
    ask(method: string, params: object = {}, sessionId?: string): Promise<Message> {
      id += 1;
      const asked = id;
      return new Promise((resolve, reject) => {
        answers.set(asked, { resolve, reject });
        input.write(
          `${JSON.stringify({ id: asked, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`,
        );
      });
    },
  };
}
