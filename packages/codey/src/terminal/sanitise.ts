// The one way for a string of a hook, a repository or a model to become safe to write to a terminal.

export interface SanitiseOptions {
  /** Line breaks and tabs become single spaces: for a row, a title, a notice. */
  readonly oneLine?: boolean;
}

/**
 * Takes out everything a terminal would act on or that makes text look like other text: escape sequences with what they
 * carry, control characters, bidirectional overrides, invisible characters. What is left is printable text, line feeds
 * and tabs; cleaning it again changes nothing.
 */
export function sanitise(text: string, options: SanitiseOptions = {}): string {
  if (isPlain(text)) return oneLine(text, options);
  let cleaned = breakLines(replaceLoneSurrogates(text)).replace(escapeSequence, '');
  for (const kind of unwantedCharacters()) cleaned = cleaned.replace(kind, '');
  return oneLine(cleaned, options);
}

/**
 * The same safety with nothing taken away: each of those characters is spelled out (`␛[2K`, `⟨U+202E⟩`). For text that a
 * person is about to approve, where a hidden part would be a part approved unread.
 */
export function reveal(text: string, options: SanitiseOptions = {}): string {
  if (isPlain(text)) return oneLine(text, options);
  let spelled = breakLines(replaceLoneSurrogates(text));
  for (const kind of unwantedCharacters()) spelled = spelled.replace(kind, spell);
  return oneLine(spelled, options);
}

/** Nothing to take out, as of most texts; found without the expressions below, which take a millisecond to build. */
function isPlain(text: string): boolean {
  return /^[\n\t\x20-\x7e]*$/.test(text);
}

/**
 * Sequences of ECMA-48 in their 7-bit and 8-bit forms. A string (OSC, DCS, SOS, PM, APC: titles, hyperlinks, clipboard
 * writes) goes with its content when it is terminated; of one that is not only the opening goes, so that no text after it
 * is swallowed.
 */
const escapeSequence = new RegExp(
  [
    // Control sequence: parameters, intermediates, final byte.
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    // Control string up to BEL or ST. Its content ends at the next opening too, or many of them would take quadratic time.
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u0090\\u0098\\u009c-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c)',
    // Any other escape, with its intermediates.
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'gu',
);

/** In this order, so that none of them leaves behind what an earlier one would have taken. */
function unwantedCharacters(): readonly RegExp[] {
  unwanted ??= [
    // C0 but line feed and tab, DEL, C1.
    /(?![\n\t])\p{Cc}/gu,
    // Bidirectional controls, characters without a shape, tags that can carry a hidden message; the next two are choosier.
    /(?![\p{Variation_Selector}\p{Join_Control}])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu,
    // Variation selectors that do not follow a character they could vary.
    /(?<![\p{Emoji}\p{L}\p{S}\p{P}])\p{Variation_Selector}/gu,
    // Joiners anywhere but between visible characters, where emoji and several scripts need them.
    /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])\p{Join_Control}|\p{Join_Control}(?![\p{L}\p{Extended_Pictographic}])/gu,
    // More marks on one character than any script writes: they pile up over the lines above and below.
    /(?<=\p{M}{4})\p{M}/gu,
  ];
  return unwanted;
}

let unwanted: readonly RegExp[] | undefined;

/** A carriage return would let what follows overwrite its line; the separators break lines in some terminals only. */
function breakLines(text: string): string {
  return text.replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n');
}

function replaceLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd');
}

function oneLine(text: string, options: SanitiseOptions): string {
  return options.oneLine === true ? text.replace(/[\n\t ]+/g, ' ').trim() : text;
}

/** A control character as its picture, everything else as its code point. */
function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
