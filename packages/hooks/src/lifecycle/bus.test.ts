import { describe, expect, it } from 'vitest';
import { createLifecycleBus } from './bus.ts';

function openBus() {
  const errors: unknown[] = [];
  const bus = createLifecycleBus({
    date: () => new Date(0),
    onListenerError: (error) => void errors.push(error),
  });
  return { bus, errors };
}

const later = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the bus', () => {
  it('tells watchers at once and holders one event at a time per agent [contract.blocked.answer-meanwhile]', async () => {
    const { bus } = openBus();
    const log: string[] = [];
    bus.watch(({ event }) => void log.push(`watch ${event}`));
    bus.hold(async ({ event, agent }) => {
      log.push(`begin ${event} ${agent}`);
      await later();
      log.push(`end ${event} ${agent}`);
    });
    const blocked = bus.emit({ event: 'blocked', session: 's' });
    const unblocked = bus.emit({ event: 'unblocked', session: 's' });
    expect(log).toEqual(['watch blocked', 'watch unblocked']);
    await Promise.all([blocked, unblocked]);
    expect(log.slice(2)).toEqual([
      'begin blocked main',
      'end blocked main',
      'begin unblocked main',
      'end unblocked main',
    ]);
  });

  it('lets agents not wait for each other [codey.config.agent-waits]', async () => {
    const { bus } = openBus();
    let release: () => void = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    bus.hold(({ agent }) => (agent === 'slow' ? stuck : Promise.resolve()));
    const told: string[] = [];
    const slow = bus.emit({ event: 'tool_start', session: 's', agent: 'slow' }).then(() => told.push('slow'));
    await bus.emit({ event: 'tool_start', session: 's', agent: 'quick' }).then(() => told.push('quick'));
    expect(told).toEqual(['quick']);
    release();
    await slow;
    expect(told).toEqual(['quick', 'slow']);
  });

  it('survives listeners that throw, and says so', async () => {
    const { bus, errors } = openBus();
    const seen: string[] = [];
    bus.watch(() => {
      throw new Error('watcher');
    });
    bus.hold(() => Promise.reject(new Error('holder')));
    bus.watch(({ event }) => void seen.push(event));
    await bus.emit({ event: 'run_start', session: 's' });
    expect(seen).toEqual(['run_start']);
    expect(errors.map(String)).toEqual(['Error: watcher', 'Error: holder']);
  });

  it('stops telling whoever left', async () => {
    const { bus } = openBus();
    const seen: string[] = [];
    const leave = bus.watch(({ event }) => void seen.push(event));
    await bus.emit({ event: 'run_start', session: 's' });
    leave();
    await bus.emit({ event: 'run_end', session: 's' });
    expect(seen).toEqual(['run_start']);
  });
});
