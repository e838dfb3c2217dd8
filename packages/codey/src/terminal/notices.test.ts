import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { createNotices, type NoticeStream } from './notices.ts';

describe('notices', () => {
  it('name the program and indent further lines', () => {
    const { stream, written } = collect();
    const notices = createNotices(() => stream, {});
    notices.note('herdr detected — reporting agent state to pane w1:p1');
    notices.warn('two problems\nfirst\nsecond\n');
    expect(written()).toBe(
      'codey: herdr detected — reporting agent state to pane w1:p1\ncodey: two problems\n  first\n  second\n',
    );
  });

  it('let nothing through that a terminal would act on', () => {
    const { stream, written } = collect({ isTTY: true });
    createNotices(() => stream, { NO_COLOR: '1' }).fail('hook said \u001b]52;c;ZXZpbA==\u0007\u001b[2Jhi');
    expect(written()).toBe('codey: hook said hi\n');
  });

  it.each([
    ['on a terminal', { isTTY: true }, {}, '\u001b[33mcodey:\u001b[0m text\n'],
    ['not in a pipe', {}, {}, 'codey: text\n'],
    ['not with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, 'codey: text\n'],
    ['with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, '\u001b[33mcodey:\u001b[0m text\n'],
    ['not on a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, 'codey: text\n'],
  ])('are coloured %s', (_, options, environment, expected) => {
    const { stream, written } = collect(options);
    createNotices(() => stream, environment).warn('text');
    expect(written()).toBe(expected);
  });

  it('survive a reader that went away', async () => {
    const { output } = await build({
      input: fileURLToPath(new URL('./notices.ts', import.meta.url)),
      platform: 'node',
      write: false,
      logLevel: 'silent',
    });
    const module = JSON.stringify(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
    const program = `import { createNotices } from ${module};
      const notices = createNotices(() => process.stderr, {});
      process.stdin.once('data', () => {
        for (let n = 0; n < 100; n++) setImmediate(() => notices.note('line ' + n));
        setTimeout(() => process.exit(7), 50);
      });
      process.stdout.write('ready');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await once(child.stdout, 'data');
    child.stderr.destroy();
    child.stdin.end('go');
    expect(await once(child, 'exit')).toEqual([7, null]);
  });
});

function collect(options: { isTTY?: boolean } = {}): { stream: NoticeStream; written: () => string } {
  let text = '';
  return {
    stream: {
      ...options,
      write: (piece) => {
        text += piece;
      },
      on: () => undefined,
    },
    written: () => text,
  };
}
