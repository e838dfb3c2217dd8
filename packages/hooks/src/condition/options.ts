// Reads the options of a command up to its first operand, knowing which of them take a value.
import { maybeSeveral } from './marks.ts';

/** The options of one command. Letters and names that are in neither list are not known to it. */
export interface OptionTable {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options with a value, in the same word or the next. */
  readonly values?: string;
  /** Letters of options whose value is always a word of its own, behind those of the same word before it. */
  readonly apart?: string;
  /** Letters of options whose value, if any, is in the same word. */
  readonly attached?: string;
  /** Long names without their dashes. */
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
}

export interface ReadOptions {
  readonly options: readonly { readonly name: string; readonly value?: string }[];
  /** What follows the options. */
  readonly operands: readonly string[];
  /** False where a word was not an option the table knows, so that the operands may begin elsewhere. */
  readonly certain: boolean;
}

/** Splits the words behind a command's name. Options end at the first other word, or behind `--`. */
export function readOptions(words: readonly string[], table: OptionTable): ReadOptions {
  const options: { name: string; value?: string }[] = [];
  let certain = true;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const read = word.startsWith('--') ? readLong(word.slice(2), table) : readShort(word.slice(1), table);
    certain &&= read.certain;
    const value = read.needsValue ? words[++at] : read.value;
    at += read.apart;
    options.push(...read.names.slice(0, -1).map((name) => ({ name })));
    options.push({ name: read.names.at(-1) ?? '', ...(value !== undefined && { value }) });
  }
  // What may come to several words moves everything behind it, and an unknown operand may be one more option.
  certain &&= !words.slice(0, at).some(maybeSeveral) && !(words[at] ?? '').startsWith('\0');
  return { options, operands: words.slice(at), certain };
}

interface OneWord {
  readonly names: readonly string[];
  readonly value?: string;
  readonly needsValue: boolean;
  /** How many words behind it are values as well. */
  readonly apart: number;
  readonly certain: boolean;
}

function readLong(text: string, table: OptionTable): OneWord {
  const equals = text.indexOf('=');
  if (equals !== -1) {
    const name = text.slice(0, equals);
    return {
      names: [name],
      value: text.slice(equals + 1),
      needsValue: false,
      apart: 0,
      certain: !name.includes('\0'),
    };
  }
  // Long names may be shortened as long as they stay unique.
  const needsValue = table.longValues?.some((name) => name.startsWith(text)) ?? false;
  const known = needsValue || (table.longFlags?.some((name) => name.startsWith(text)) ?? false);
  return { names: [text], needsValue, apart: 0, certain: known };
}

function readShort(letters: string, table: OptionTable): OneWord {
  const names: string[] = [];
  let certain = true;
  let apart = 0;
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? '';
    const rest = letters.slice(at + 1);
    names.push(letter);
    if (table.apart?.includes(letter)) {
      apart++;
      continue;
    }
    if (table.values?.includes(letter)) {
      return rest === ''
        ? { names, needsValue: true, apart, certain }
        : { names, value: rest, needsValue: false, apart, certain };
    }
    if (table.attached?.includes(letter)) return { names, value: rest, needsValue: false, apart, certain };
    certain &&= table.flags?.includes(letter) ?? false;
  }
  return { names, needsValue: false, apart, certain };
}
