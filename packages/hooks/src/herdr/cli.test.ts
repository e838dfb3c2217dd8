import { describe, expect, it } from 'vitest';
import { explainCall, metadataArguments, releaseArguments, reportArguments } from './cli.ts';

describe('the arguments for herdr', () => {
  const who = ['--source', 'custom:codey', '--agent', 'codey'];

  it('begin with the pane and end with sequence and session [codey.herdr.report-command] [codey.herdr.session-id-sent]', () => {
    const blocked = { state: 'blocked', session: 's1', message: 'bash: rm -rf build' } as const;
    expect(reportArguments('w1:p1', blocked, 7)).toEqual(
      ['pane', 'report-agent', 'w1:p1'].concat(
        who,
        ['--state', 'blocked', '--message', 'bash: rm -rf build'],
        ['--seq', '7', '--agent-session-id', 's1'],
      ),
    );
    expect(reportArguments('w1:p1', { state: 'idle', session: 's1' }, 8)).toEqual(
      ['pane', 'report-agent', 'w1:p1'].concat(
        who,
        ['--state', 'idle'],
        ['--seq', '8', '--agent-session-id', 's1'],
      ),
    );
    expect(releaseArguments('wQ:pA', 9)).toEqual(
      ['pane', 'release-agent', 'wQ:pA'].concat(who, ['--seq', '9']),
    );
  });

  it('show reason and session, and take them away again', () => {
    const begin = ['pane', 'report-metadata', 'w1:p1'].concat(who);
    expect(metadataArguments('w1:p1', { session: 's1', blockedLabel: 'bash: make' }, 3)).toEqual(
      begin.concat(['--state-label', 'blocked=bash: make', '--token', 'session=s1', '--seq', '3']),
    );
    expect(metadataArguments('w1:p1', { session: 's1' }, 4)).toEqual(
      begin.concat(['--clear-state-labels', '--token', 'session=s1', '--seq', '4']),
    );
    expect(metadataArguments('w1:p1', {}, 5)).toEqual(
      begin.concat(['--clear-state-labels', '--clear-token', 'session', '--seq', '5']),
    );
  });

  it.each([['--session=other'], ['--session'], ['--remote'], ['--handoff']])(
    'keep the message %s from being taken for an option of herdr itself',
    (message) => {
      const args = reportArguments('w1:p1', { state: 'blocked', session: 's', message }, 1);
      expect(args[args.indexOf('--message') + 1]).toBe(` ${message}`);
    },
  );

  it('cut a message of any length by characters', () => {
    const args = reportArguments(
      'w1:p1',
      { state: 'blocked', session: 's', message: '😀'.repeat(200_000) },
      1,
    );
    expect(Array.from(args[args.indexOf('--message') + 1] ?? '')).toHaveLength(500);
    const shown = metadataArguments('w1:p1', { blockedLabel: '😀'.repeat(100) }, 1);
    const label = shown[shown.indexOf('--state-label') + 1] ?? '';
    expect(Array.from(label.slice('blocked='.length))).toHaveLength(80);
  });
});

describe('the reason of a failed call', () => {
  const exited = (code: number, stderr: string) => explainCall({ end: { kind: 'exited', code }, stderr });

  it('is what herdr says, whether its server or its command line speaks', () => {
    const server =
      '{"id":"cli:request","error":{"code":"pane_not_found","message":"pane w9:p9 not found"}}\n';
    expect(exited(1, server)).toBe('pane_not_found: pane w9:p9 not found');
    expect(exited(2, 'unknown option: w1:p1\nusage: …\n')).toBe('unknown option: w1:p1');
    expect(exited(1, 'Error: Os { code: 2 }')).toBe('Error: Os { code: 2 }');
    expect(exited(1, '{"error":7}')).toBe('{"error":7}');
    expect(exited(3, '')).toBe('herdr ended with exit code 3');
  });

  it('is said for every way a call can end', () => {
    expect(exited(0, 'a warning')).toBeUndefined();
    expect(explainCall({ end: { kind: 'timed-out', afterMs: 2000 }, stderr: '' })).toBe(
      'herdr did not answer within 2 s',
    );
    expect(explainCall({ end: { kind: 'signalled', signal: 'SIGKILL' }, stderr: '' })).toBe(
      'herdr was ended by SIGKILL',
    );
    expect(
      explainCall({ end: { kind: 'failed', cause: 'missing', message: 'it is gone' }, stderr: '' }),
    ).toBe('it is gone');
  });
});
