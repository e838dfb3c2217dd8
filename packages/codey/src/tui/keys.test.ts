import { describe, expect, it } from 'vitest';
import { type Action, actionOf, keyHelp } from './keys.ts';
import { keyName, readKey } from './screen/keys.ts';
import { openStage } from './testing/stage.ts';

/** What terminals send without a protocol for keys, by the key as help writes it. */
const sent: Readonly<Record<string, readonly (readonly [bytes: string, action: Action])[]>> = {
  'Ctrl+T': [['\u0014', { kind: 'new-tab' }]],
  'Alt+W': [['\u001bw', { kind: 'close-tab' }]],
  'Alt+1 … Alt+9': Array.from(
    { length: 9 },
    (_, index) => [`\u001b${index + 1}`, { kind: 'to-tab', number: index + 1 }] as const,
  ),
  'Ctrl+PgDn, Alt+N': [
    ['\u001b[6;5~', { kind: 'next-tab', step: 1 }],
    ['\u001bn', { kind: 'next-tab', step: 1 }],
  ],
  'Ctrl+PgUp, Alt+P': [
    ['\u001b[5;5~', { kind: 'next-tab', step: -1 }],
    ['\u001bp', { kind: 'next-tab', step: -1 }],
  ],
  'Ctrl+P': [['\u0010', { kind: 'pause' }]],
  'Shift+Tab': [['\u001b[Z', { kind: 'next-mode' }]],
  'Ctrl+O': [['\u000f', { kind: 'unfold' }]],
  'Ctrl+R': [['\u0012', { kind: 'history' }]],
  'Ctrl+L': [['\u000c', { kind: 'redraw' }]],
  'Ctrl+Z': [['\u001a', { kind: 'suspend' }]],
  'Ctrl+C': [['\u0003', { kind: 'leave-or-stop' }]],
};

describe('keys that help lists', () => {
  const own = keyHelp.map(([shown]) => shown).slice(0, Object.keys(sent).length);

  it('are all in this table, but those of the editor and the renderer', () => {
    expect(Object.keys(sent)).toEqual(own);
  });

  it.each(Object.entries(sent))('%s does what help says', (_shown, keys) => {
    for (const [bytes, action] of keys) {
      const key = readKey(bytes);
      expect(key === undefined ? undefined : actionOf(keyName(key))).toEqual(action);
    }
  });

  it('scroll, find and write, where they belong to the renderer or the editor', async () => {
    const stage = await openStage({ rows: 12 });
    const { keys, rest, session, terminal, text } = stage;
    for (const turn of ['first', 'second']) {
      await keys(`${turn} prompt`, '\r');
      const lines = Array.from({ length: 20 }, (_, index) => `- ${turn} ${index}`);
      session().say({ kind: 'text', agent: 'main', text: lines.join('\n') });
      session().endRun();
      await rest();
    }
    // A frame that knows where each prompt stands.
    await text();
    const steps: readonly (readonly [shown: string, bytes: string, seen: RegExp])[] = [
      ['Ctrl+↑, Ctrl+↓', '\u001b[1;5A', /▌ second prompt/],
      ['Ctrl+↑, Ctrl+↓', '\u001b[1;5A', /▌ first prompt/],
      ['Ctrl+↑, Ctrl+↓', '\u001b[1;5B', /▌ second prompt/],
      ['Ctrl+End', '\u001b[1;5F', /- second 19/],
      ['PgUp, PgDn, wheel', '\u001b[5~', /- second 10/],
      ['PgUp, PgDn, wheel', '\u001b[6~', /- second 19/],
      ['PgUp, PgDn, wheel', '\u001b[<64;5;5M', /- second 12/],
      ['Ctrl+F', '\u0006', /Enter/],
      ['Ctrl+F', 'first 3', /- first 3/],
      ['Esc', '\u001b', /^(?!.*1\/1)/s],
      ['↑ ↓', '\u001b[A', /^ second prompt/m],
      ['↑ ↓', '\u001b[A', /^ first prompt/m],
      ['Shift+Enter, Ctrl+J', '\n', /^ {80}\n/m],
      ['Shift+Enter, Ctrl+J', '\u001b[13;2u', /^ {80}\n {80}\n/m],
    ];
    try {
      for (const [shown, bytes, seen] of steps) {
        terminal.press(bytes);
        await rest();
        expect(await text(), shown).toMatch(seen);
      }
    } finally {
      await stage.close();
    }
    const tried = new Set([...own, 'drag', ...steps.map(([shown]) => shown)]);
    expect(new Set(keyHelp.map(([shown]) => shown))).toEqual(tried);
  });

  it('keep arrows with Alt what they are', () => {
    expect(readKey('\u001b[1;3A')).toEqual({ kind: 'named', name: 'alt+up' });
    expect(readKey('\u001b[1;3B')).toEqual({ kind: 'named', name: 'alt+down' });
  });
});
