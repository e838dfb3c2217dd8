// How text of hooks and the host is marked, so that the model never takes it for the user's words.

/** Told to the model once, in the system prompt. */
export const contextTagNote =
  'Text inside <codey-context source="…"> was added by a hook or by the program you run in, as its source says. ' +
  'The user did not write it and may not have seen it.';

/** The text inside the tag. It cannot end the tag early, nor can its source. */
export function wrapContext(text: string, source: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  const name = source.replace(/[\u0000-\u001f\u007f-\u009f"<>]+/g, ' ').trim();
  const inside = text.replace(/<(?=\/?codey-context)/gi, '&lt;');
  return `<codey-context source="${name}">\n${inside}\n</codey-context>`;
}
