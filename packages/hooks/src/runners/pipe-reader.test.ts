import { closeSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPipeSupply, handOver, openToWrite } from './output-pipes.ts';
import type { PipeReader } from './pipe-reader.ts';

describe.runIf(process.platform === 'linux')('a pipe is read', () => {
  let reader: PipeReader;
  let writeEnd: number;
  let heard: string;
  let closed: boolean;

  beforeEach(async () => {
    const pipes = await createPipeSupply().take();
    if (pipes === undefined) throw new Error('no pipes can be made here');
    const [stdout, stderr] = pipes;
    stderr.reader.destroy();
    reader = stdout.reader;
    writeEnd = openToWrite(stdout);
    handOver(pipes);
    heard = '';
    closed = false;
    reader.once('close', () => {
      closed = true;
    });
  });
  afterEach(() => reader.destroy());

  function collect(): void {
    reader.on('data', (piece) => {
      heard += piece.toString();
    });
  }

  it('at once when its process is over, to the end', () => {
    collect();
    writeSync(writeEnd, 'all of it');
    closeSync(writeEnd);
    reader.catchUp();
    expect([heard, closed]).toEqual(['all of it', true]);
  });

  it('on while somebody else can print into it', async () => {
    collect();
    writeSync(writeEnd, 'first, ');
    reader.catchUp();
    expect([heard, closed]).toEqual(['first, ', false]);
    writeSync(writeEnd, 'then the rest');
    closeSync(writeEnd);
    await expect.poll(() => closed).toBe(true);
    expect(heard).toBe('first, then the rest');
  });

  it('as it comes where the process takes longer, and nothing twice', async () => {
    collect();
    writeSync(writeEnd, 'early, ');
    await expect.poll(() => heard).toBe('early, ');
    writeSync(writeEnd, 'late');
    closeSync(writeEnd);
    reader.catchUp();
    await expect.poll(() => closed).toBe(true);
    expect(heard).toBe('early, late');
  });

  it('when somebody collects, however late', async () => {
    writeSync(writeEnd, 'kept');
    closeSync(writeEnd);
    await sleep(60);
    collect();
    await expect.poll(() => closed).toBe(true);
    expect(heard).toBe('kept');
  });

  it('no more once it was let go', () => {
    collect();
    writeSync(writeEnd, 'unread');
    reader.destroy();
    reader.catchUp();
    reader.destroy();
    expect([heard, closed]).toEqual(['', true]);
    closeSync(writeEnd);
  });
});
