// Why a hook did not run, in a sentence: the words of the journal as people would say them.
import type { SkipReason } from '@codey/hooks';

/** What is known about the hook and the moment; each part makes the sentence more exact. */
export interface SkipFacts {
  readonly matcher?: string;
  readonly if?: string;
  /** What the matcher was tested on. */
  readonly value?: string;
}

/** Completes “it did not run: …”. */
export function explainSkip(why: SkipReason, { matcher, if: condition, value }: SkipFacts): string {
  switch (why) {
    case 'matcher':
      return `its matcher${quoted(matcher)} does not match${value === undefined ? '' : ` ${value}`}`;
    case 'if':
      return `its "if"${quoted(condition)} does not match this call`;
    case 'once':
      return 'it runs once a session and has already run';
    case 'duplicate':
      return 'the same hook stands in a file before this one and runs in its place';
    case 'disabled':
      return 'it is switched off; codey hooks list says by what';
    case 'untrusted':
      return 'you have not agreed to it; codey hooks trust shows it';
    case 'modified':
      return 'it or a file it names changed since you agreed to it; codey hooks trust shows what';
    case 'invalid':
      return 'hooks written this way have no such event';
    case 'group-ended':
      return 'a hook before it in its group blocked';
    case 'bare':
      return '--bare leaves this event out';
    case 'managed-only':
      return 'managed settings allow managed hooks only';
    case 'depth':
      return 'codey itself was started by a hook, and then only managed hooks run';
    case 'rehearsal':
      return 'it reaches beyond this machine, which a rehearsal does only with --live';
    case 'exit':
      return 'there was no time left when codey ended';
  }
}

function quoted(text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` "${text}"`;
}
