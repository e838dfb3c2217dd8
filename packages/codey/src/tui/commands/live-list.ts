// What a command lists: live where there is a screen, once where there is none.
import type { CommandContext } from './command.ts';
import { table } from './table.ts';

export type Listed =
  /** Two columns. */
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [string, string])[] }
  /** A sentence on what could be done. */
  | { readonly kind: 'nothing'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface LiveList {
  /** As it is after the last `read`. */
  title(): string;
  /** Never rejects. */
  read(): Promise<Listed>;
}

/** In words, as they stay. */
export function sayListed(
  listed: Listed,
  title: string,
  { say, reply }: Pick<CommandContext, 'say' | 'reply'>,
): void {
  switch (listed.kind) {
    case 'rows':
      reply(title, table(listed.rows));
      return;
    case 'nothing':
      say('plain', listed.text);
      return;
    case 'refused':
      say('error', listed.reason);
  }
}
