import { describe, expect, it } from 'vitest';
import { lifecycleEvent } from './event.ts';

const time = new Date('2026-01-02T03:04:05.678Z');

describe('values of an event', () => {
  it('are strings, empty where the event has none', () => {
    expect(lifecycleEvent({ event: 'turn_start', session: 's1', turn: 2 }, time)).toEqual({
      event: 'turn_start',
      session: 's1',
      agent: 'main',
      turn: '2',
      tool: '',
      reason: '',
      message: '',
      error: '',
      time: '2026-01-02T03:04:05.678Z',
    });
  });

  it('hold no control characters, are short, and the message is one line [contract.value.clean]', () => {
    const event = lifecycleEvent(
      {
        event: 'blocked',
        session: 's1',
        tool: 'mcp__x\u001b]0;title\u0007y',
        message: `bash: echo \u001b[31mred\nrm -rf build`,
        error: `${'e'.repeat(2_000)}`,
      },
      time,
    );
    expect(event.tool).toBe('mcp__x ]0;title y');
    expect(event.message).toBe('bash: echo  [31mred');
    expect([...event.error]).toHaveLength(1_000);
    expect(lifecycleEvent({ event: 'blocked', session: 's', message: '😀'.repeat(300) }, time).message).toBe(
      `${'😀'.repeat(199)}…`,
    );
    expect(lifecycleEvent({ event: 'blocked', session: 's', message: '\n\n  second' }, time).message).toBe(
      'second',
    );
  });
});
