// Everything the program tells beside its result: lines on stderr that name it.
import { sanitise } from './sanitise.ts';

/** The part of a stream that notices need; `process.stderr` is one. */
export interface NoticeStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface Notices {
  /** Something worth knowing. */
  note(text: string): void;
  /** Something the user should look at; the program goes on. */
  warn(text: string): void;
  /** Why the program does not go on. */
  fail(text: string): void;
}

/**
 * Each notice is `codey: ` and the text; further lines of it are indented. Texts may come from anywhere: what a terminal
 * would act on is taken out here. Colour only marks the prefix, and only on a terminal where `NO_COLOR` is not set. A
 * reader that has gone away is no reason to end: what it does not read is dropped. The stream is opened by the first
 * notice, since most runs have none and Node takes a while for it.
 */
export function createNotices(
  openStream: () => NoticeStream,
  environment: Readonly<Record<string, string | undefined>>,
): Notices {
  let opened: NoticeStream | undefined;
  let gone = false;

  const write = (text: string, colour: number | undefined) => {
    if (gone) return;
    if (opened === undefined) {
      opened = openStream();
      opened.on('error', () => {
        gone = true;
      });
    }
    const stream = opened;
    const colourful =
      stream.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
    const prefix = colourful && colour !== undefined ? `\u001b[${colour}mcodey:\u001b[0m` : 'codey:';
    try {
      stream.write(`${prefix} ${sanitise(text).trimEnd().replaceAll('\n', '\n  ')}\n`);
    } catch {
      gone = true;
    }
  };
  return {
    note: (text) => write(text, undefined),
    warn: (text) => write(text, yellow),
    fail: (text) => write(text, red),
  };
}

const yellow = 33;
const red = 31;
