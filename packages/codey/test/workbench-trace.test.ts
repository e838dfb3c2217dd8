// `codey hooks trace` after real sessions, and its page in a real browser.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, openPage, type Page } from './browser/chromium.ts';
import { bypass, play } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, shellScript, type Stage } from './stage.ts';
import { until } from './waiting.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const trace = (...args: readonly string[]) => stage.codey(['hooks', 'trace', ...args]);

function guardPushes(): void {
  stage.write('~/.codey/settings.json', {
    hooks: {
      PreToolUse: [
        { matcher: 'run_shell', hooks: [command('echo no >&2; exit 2', { if: 'run_shell(git push*)' })] },
      ],
      PostToolUse: [group('true', 'run_shell')],
    },
  });
}

describe('codey hooks trace', () => {
  it('draws the latest session with its turns, calls and hooks', async () => {
    guardPushes();
    await play(stage, shellScript('true'), bypass);
    await play(stage, shellScript('echo hi', 'git push'), bypass);
    const { code, stdout, stderr } = await trace();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const row of [
      /^session /m,
      /^ +turn 1 /m,
      /run_shell {2}main_call_1/,
      /denied by PreToolUse$/m,
      /PostToolUse/,
    ])
      expect(stdout).toMatch(row);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '3 turns, 2 calls, 1 denied, 2 hook runs, 1 blocked or failed',
    );
  });

  it('draws what still runs in a live session up to now, and says so', async () => {
    const ended = stage.prompt(shellScript('until [ -e go ]; do sleep 0.05; done'), {
      args: bypass,
      async onStart() {
        await until(() => stage.journal().some(({ event }) => event === 'tool_start'));
        const { stdout } = await trace();
        stage.write('go', '');
        expect(stdout).toMatch(/^ +runs .*still running$/m);
        expect(stdout).not.toContain('not ended');
      },
    });
    expect((await ended).code).toBe(0);
    expect((await trace()).stdout).not.toContain('still running');
  });

  it('takes the beginning of a session id, and says so where there is none', async () => {
    expect(await trace()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no session ran here yet'),
    });
    await play(stage, shellScript('true'), bypass);
    const { session } = JSON.parse((await trace('--json')).stdout);
    await play(stage, shellScript('false'), bypass);
    expect(JSON.parse((await trace('--session', session.slice(0, -2), '--json')).stdout).session).toBe(
      session,
    );
    expect(await trace('--session', '2')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2 sessions begin with 2'),
    });
    expect(await trace('--session', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds no session x'),
    });
  });

  it('writes a trace for Perfetto and a page, and says where', async () => {
    guardPushes();
    await play(stage, shellScript('git push'), bypass);
    const file = path.join(stage.project, 'trace.json');
    expect(await trace('--perfetto', 'trace.json')).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ displayTimeUnit: 'ms' });
    expect((await trace('--html', 'trace.html')).code).toBe(0);
    const page = stage.read('trace.html');
    expect(page).not.toMatch(/\b(?:https?:)?\/\/[a-z]/);
    expect(await trace('--html', 'no/such/trace.html')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written: ENOENT'),
    });
  });
});

const chromium = findChromium();

describe.skipIf(chromium === undefined)('the page, in Chromium (skipped where none is installed)', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage(chromium!);
  });
  afterAll(() => page?.close());

  /** What the reader sees of the chosen row. */
  const chosen = () =>
    page.evaluate(`document.querySelector('[aria-selected=true] .name').textContent.replace(/[▸▾]/, '')`);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.press(key);
  };
  const show = async (file: string): Promise<void> => {
    await page.open(pathToFileURL(path.join(stage.project, file)).href);
  };

  it('shows a session from a file, asks for nothing, and is steered with the keyboard', async () => {
    guardPushes();
    await play(stage, shellScript('echo "</script><b>"', 'git push'), bypass);
    await trace('--html', 'trace.html');
    await show('trace.html');
    expect(await page.evaluate('document.title')).toContain('Codey session 2');
    expect(await chosen()).toContain('session');
    await press('ArrowDown', 'ArrowDown');
    expect(await chosen()).toContain('turn 1');
    await press('ArrowLeft');
    expect(
      await page.evaluate(`document.querySelector('[aria-selected=true]').getAttribute('aria-expanded')`),
    ).toBe('false');
    await press('ArrowRight', 'ArrowRight');
    expect(await chosen()).toContain('run_shell');
    await press('b');
    expect(await chosen()).toContain('denied by PreToolUse');
    expect(await page.evaluate(`document.querySelector('#facts').textContent`)).toContain('main_call_2');
    const width = `document.querySelector('[aria-selected=true] .bar').getBoundingClientRect().width`;
    const before = Number(await page.evaluate(width));
    await press('Enter');
    expect(
      Number(
        await page.evaluate(
          `document.querySelector('[aria-selected=true] .bar').style.width.replace('%', '')`,
        ),
      ),
    ).toBeGreaterThan(80);
    await press('Escape');
    expect(before).toBeGreaterThan(0);
    await press('End', 'Home');
    expect(await chosen()).toContain('session');
    await press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('find');
    expect(page.complaints).toEqual([]);
  });

  it('keeps ten thousand spans out of the document but within reach', async () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
    const stamp = {
      session: 's1',
      pid: 1,
      agent: 'main',
      turn: '',
      tool: '',
      reason: '',
      message: '',
      error: '',
    };
    const lines = Array.from({ length: 10_000 }, (_, n) => ({
      time: at(n * 10),
      n: n + 1,
      kind: 'lifecycle',
      event: n === 0 ? 'session_start' : 'turn_start',
      ...stamp,
      turn: String(n),
    }));
    stage.write('.codey/events.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    await trace('--html', 'trace.html');
    await show('trace.html');
    expect(await page.evaluate(`document.querySelector('#tree').getAttribute('aria-rowcount')`)).toBe(
      '10000',
    );
    const inDocument = () => page.evaluate(`document.querySelectorAll('.row').length`);
    expect(Number(await inDocument())).toBeLessThan(100);
    await press('End');
    expect(await chosen()).toContain('turn 9999');
    expect(Number(await inDocument())).toBeLessThan(100);
  });

  it('follows light and dark', async () => {
    await play(stage, shellScript('true'), bypass);
    await trace('--html', 'trace.html');
    await show('trace.html');
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.colours('light');
    expect(await paper()).toBe('rgb(255, 255, 255)');
    await page.colours('dark');
    expect(await paper()).toBe('rgb(21, 24, 28)');
  });
});
