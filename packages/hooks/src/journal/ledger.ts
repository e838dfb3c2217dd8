// Keeps a session's ledger of process groups in a file, so that it outlives the session however that ends.
import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs';
import { diskFiles, type Files, failureReason } from './files.ts';
import { matchesShape } from './shape.ts';
import type { GroupRecord, Ledger } from '../runners/ledger.ts';

/** The process groups of a live session, on disk, for whoever finds the session dead. */
export interface LedgerFile extends Ledger {
  close(): void;
}

/**
 * Writes each line before it returns: a kill may come right behind the spawn. A ledger that cannot be written
 * costs only the cleaning up after a crash, so that is told once and nothing is thrown.
 */
export function openLedger(path: string, onNotice: (text: string) => void): LedgerFile {
  const running = new Set<number>();
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, flags, 0o600);
  } catch (error) {
    giveUp(error);
  }

  function write(line: LedgerLine): void {
    if (descriptor === undefined) return;
    try {
      // Nothing runs: the file starts over, so that a long session does not grow it.
      if (running.size === 0) ftruncateSync(descriptor, 0);
      // The newline comes first: after a line that a full disk cut short this one still stands alone.
      else writeSync(descriptor, `\n${JSON.stringify(line)}`);
    } catch (error) {
      close();
      giveUp(error);
    }
  }

  function close(): void {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  }

  function giveUp(error: unknown): void {
    onNotice(
      `Running processes cannot be noted in ${path}: ${failureReason(error)}. Should codey be killed, they will have to be ended by hand.`,
    );
  }

  return {
    started(group) {
      running.add(group.pid);
      write({ started: group });
    },
    ended(pid) {
      if (running.delete(pid)) write({ ended: pid });
    },
    close,
  };
}

/** The groups that were started and are not known to have ended. Empty when there is no ledger. */
export async function readLedger(path: string, files: Files = diskFiles): Promise<readonly GroupRecord[]> {
  const text = await files.readFile(path, 'utf8').catch(() => '');
  const running = new Map<number, GroupRecord>();
  for (const line of text.split('\n').map(parseLine)) {
    if (line === undefined) continue;
    if ('started' in line) running.set(line.started.pid, line.started);
    else running.delete(line.ended);
  }
  return [...running.values()];
}

type LedgerLine = { readonly started: GroupRecord } | { readonly ended: number };

const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

function parseLine(text: string): LedgerLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (matchesShape(value, { ended: 'number' })) return { ended: value.ended as number };
  if (!matchesShape(value, { started: 'object' })) return undefined;
  const { started } = value;
  if (!matchesShape(started, { pid: 'number', marker: 'object', what: 'string' })) return undefined;
  if (!matchesShape(started.marker, { name: 'string', value: 'string' })) return undefined;
  const startTime = typeof started.startTime === 'number' ? started.startTime : null;
  return { started: { ...(started as unknown as GroupRecord), startTime } };
}
