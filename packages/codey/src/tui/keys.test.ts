import { describe, expect, it } from 'vitest';
import { type Action, actionOf, keyHelp } from './keys.ts';
import { keyName, readKey } from './screen/keys.ts';

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

  it('keep arrows with Alt what they are', () => {
    expect(readKey('\u001b[1;3A')).toEqual({ kind: 'named', name: 'alt+up' });
    expect(readKey('\u001b[1;3B')).toEqual({ kind: 'named', name: 'alt+down' });
  });
});
