// The terminal of the full screen, which knows what it asked: an answer that comes late is typed to whoever has it then.
import { ProcessTerminal } from '@earendil-works/pi-tui';
import type { Clock } from './clock.ts';

/** A terminal that has not answered by then knows no such question. */
const patienceMs = 1_000;
const esc = '\u001b';
/** What it is asked at each start and answers last: "I am a terminal of this kind". */
const answerPattern = new RegExp(`${esc}\\[\\?[\\d;]*c`, 'g');
const answerBegun = new RegExp(`${esc}(?:\\[(?:\\?[\\d;]*)?)?$`);

export class AskingTerminal extends ProcessTerminal {
  readonly #clock: Clock;
  #owed = 0;
  #askedAt = 0;
  #unread = '';
  #answered: () => void = () => {};

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override start(...handlers: Parameters<ProcessTerminal['start']>): void {
    this.#owed += 1;
    this.#askedAt = this.#clock.now();
    process.stdin.off('data', this.#read);
    process.stdin.on('data', this.#read);
    super.start(...handlers);
  }

  /**
   * To be called after `stop`, in raw mode: resolves when every answer is read or none will come any more. What is typed
   * meanwhile is lost, as it would be to a screen that closes.
   */
  async settled(): Promise<void> {
    const { stdin } = process;
    const leftMs = this.#askedAt + patienceMs - this.#clock.now();
    if (this.#owed > 0 && leftMs > 0 && !stdin.destroyed) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          takeBack();
          for (const event of gone) stdin.off(event, done);
          resolve();
        };
        const takeBack = this.#clock.after(leftMs, done);
        this.#answered = done;
        for (const event of gone) stdin.once(event, done);
        stdin.resume();
      });
      stdin.pause();
    }
    this.#owed = 0;
    this.#unread = '';
    this.#answered = () => {};
    stdin.off('data', this.#read);
  }

  readonly #read = (data: Buffer | string): void => {
    const text = this.#unread + String(data);
    this.#owed -= text.match(answerPattern)?.length ?? 0;
    this.#unread = answerBegun.exec(text)?.[0] ?? '';
    if (this.#owed <= 0) this.#answered();
  };
}

/** A terminal that went away answers nothing. */
const gone = ['end', 'close', 'error'] as const;
