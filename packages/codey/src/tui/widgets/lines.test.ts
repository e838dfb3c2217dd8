import { describe, expect, it } from 'vitest';
import { sanitise } from '../../terminal/sanitise.ts';
import { paintHtml } from '../screen/highlight.ts';
import { toHtml } from '../screen/highlight-languages.ts';
import { plainStyle } from '../screen/style.ts';
import { columnsOf, cut, ends, fill, wrap } from '../screen/text.ts';
import { applyEdit } from '../state/edit-of.ts';
import { callBlockLines, summaryOf } from './call-block.ts';
import { callLines } from './call-lines.ts';
import { diffLines } from './diff.ts';
import { sayCount, sayDuration, saySeconds } from './duration.ts';
import { fieldLine } from './field-line.ts';
import { twoColumnLines } from './two-columns.ts';
import { createStreamCleaner } from './stream-cleaner.ts';

describe('a difference', () => {
  const options = { numbered: true, width: 40, style: plainStyle };

  it('is told in signed lines with their numbers', () => {
    expect(diffLines('a\nb\nc\n', 'a\nB\nc\n', options)).toEqual(
      ['1   a', '2 - b', '2 + B', '3   c'].map((line) => ` ${line}`),
    );
  });

  it('of nothing says so', () => {
    expect(diffLines('a\n', 'a\n', options)).toEqual(['no difference']);
  });

  it('of distant places leaves out what is between', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index}`);
    const changed = lines.with(2, 'x').with(30, 'y');
    const shown = diffLines(lines.join('\n'), changed.join('\n'), options);
    expect(shown).toContain('…');
    expect(shown.length).toBeLessThan(25);
  });

  it('wraps long lines under their text', () => {
    expect(diffLines('', 'x'.repeat(50), { ...options, numbered: false, width: 22 })[1]).toBe(
      `  ${'x'.repeat(20)}`,
    );
  });
});

describe('a call that changes a file', () => {
  it('shows the change in the whole file where it is known', () => {
    const call = { tool: 'edit_file', input: { path: 'a.ts', old_string: 'b', new_string: 'X' } };
    expect(callLines(call, 'a\nb\n', 40, plainStyle, sanitise)).toEqual([
      'a.ts',
      ' 1   a',
      ' 2 - b',
      ' 2 + X',
    ]);
    expect(callLines(call, undefined, 40, plainStyle, sanitise).slice(0, 3)).toEqual([
      'a.ts',
      '- b',
      '  no line break at the end of the file',
    ]);
  });

  it('takes replacement texts as they are', () => {
    const edit = { kind: 'replace', oldText: 'a', newText: '$&', everywhere: true } as const;
    expect(applyEdit('a-a', edit)).toBe('$&-$&');
    expect(applyEdit('a-a', { ...edit, everywhere: false })).toBe('$&-a');
  });
});

it('a call shows all of its line, and what the tool took apart from what its hooks took', () => {
  const passed = (ms: number) => ({ id: 'h', scope: 'user', source: 's', outcome: 'passed', ms }) as const;
  const block = {
    kind: 'call',
    key: 1,
    agent: 'main',
    id: 'c1',
    tool: 'run_shell',
    input: { command: 'ls' },
    startedAt: 0,
    tail: [],
    end: { kind: 'done', output: '', failed: false, ms: 6 },
    hooks: [
      { event: 'PreToolUse', hook: passed(10) },
      { event: 'PostToolUse', hook: passed(2) },
    ],
  } as const;
  expect(callBlockLines(block, false, 60, plainStyle)[0]).toMatch(
    /^✓ run_shell ls +ran 6 ms · 2 hooks 12 ms$/,
  );
  const alone = callBlockLines({ ...block, hooks: [] }, false, 60, plainStyle)[0];
  expect(alone).toMatch(/^✓ run_shell ls +6 ms$/);
  const hiding = { ...block, input: { command: 'echo hi \u001bP ; touch x ; : \u001b\\' } };
  expect(callBlockLines(hiding, false, 80, plainStyle)[0]).toContain('echo hi ␛P ; touch x ; : ␛\\');
});

it.each([
  [{ command: 'ls\nwc' }, 'ls'],
  [{ prompt: 'Look at it.', agent: 'general' }, 'Look at it.'],
  [{ name: 'ann' }, 'ann'],
  [{ questions: [{ header: 'Storage' }, { header: 'Errors' }] }, 'Storage, Errors'],
  [{ todos: [{ content: 'read', status: 'pending' }] }, 'read'],
  [{ questions: [7] }, '{"questions":[7]}'],
  [{}, ''],
])('a call is named by the argument that says most: %j', (input, summary) => {
  expect(summaryOf({ input })).toBe(summary);
});

describe('two columns', () => {
  const rows =
    '/help\tcommands and keys\n/peers [create|spawn|send|inbox]\ta team of agents: members, mail, tasks';

  it('stand side by side where there is room, a long name above its meaning', () => {
    expect(twoColumnLines(rows, 100)).toEqual([
      '/help                             commands and keys',
      '/peers [create|spawn|send|inbox]  a team of agents: members, mail, tasks',
    ]);
    expect(twoColumnLines(rows, 40)).toEqual([
      '/help  commands and keys',
      '/peers [create|spawn|send|inbox]',
      '       a team of agents: members, mail,',
      '       tasks',
    ]);
  });

  it('never take more than the width', () => {
    for (const width of [24, 40, 60, 80])
      for (const line of twoColumnLines(rows, width)) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  });
});

describe('a growing text', () => {
  it('is cleaned as it would be at once, wherever it is cut', () => {
    const text = 'one\u001b[31m red\n\u001b]0;title\u0007two\r\nthree \u202eevil\nlast';
    for (let at = 0; at <= text.length; at += 1) {
      const clean = createStreamCleaner();
      clean(text.slice(0, at));
      expect(clean(text)).toBe(sanitise(text));
    }
  });

  it('that is another one is cleaned anew', () => {
    const clean = createStreamCleaner();
    clean('first\nline');
    expect(clean('second')).toBe('second');
  });
});

describe('columns', () => {
  it('count wide characters and emoji as terminals do', () => {
    expect(['abc', '漢字', '👩‍👩‍👧', 'é', '\u001b[1mx\u001b[22m'].map(columnsOf)).toEqual([3, 4, 2, 1, 1]);
  });

  it('are never more than asked for', () => {
    expect(columnsOf(cut('漢字漢字', 5))).toBeLessThanOrEqual(5);
    expect(columnsOf(fill('漢', 5))).toBe(5);
    expect(wrap('漢字漢字', 5).every((line) => columnsOf(line) <= 5)).toBe(true);
    expect(columnsOf(ends('left'.repeat(20), 'right', 20))).toBe(20);
    expect(ends('left', 'right', 20)).toBe('left           right');
  });

  it('show the cursor of a long field', () => {
    const shown = fieldLine({ text: 'x'.repeat(100), cursor: 100 }, 20, plainStyle);
    expect(columnsOf(shown)).toBeLessThanOrEqual(20);
    expect(shown.startsWith('…')).toBe(true);
  });
});

it('colours code without changing it', () => {
  const code = 'const a = "<b>&amp;";\n/* two\nlines */\n';
  const html = toHtml(code, 'ts') ?? '';
  const paint = (text: string): string => `[${text}]`;
  expect(paintHtml(html, { keyword: paint, string: paint, comment: paint })).toBe(
    '[const] a = ["<b>&amp;"];\n[/* two]\n[lines */]\n',
  );
  expect(paintHtml(html, {})).toBe(code);
  expect(toHtml('x', 'no-such-language')).toBeUndefined();
});

it('says durations and counts as people do', () => {
  expect([0, 999, 1_234, 12_345, 184_000].map(sayDuration)).toEqual([
    '0 ms',
    '999 ms',
    '1.2 s',
    '12 s',
    '3 min 4 s',
  ]);
  expect([0, 1_999, 59_999, 60_000].map(saySeconds)).toEqual(['0 s', '1 s', '59 s', '1 min 0 s']);
  expect([950, 12_345, 1_200_000].map(sayCount)).toEqual(['950', '12.3k', '1.2M']);
});
