// Finds the agents a prompt addresses: `@reviewer look at this`.

/** In the order of their first mention. A name only counts as a whole word, so that addresses of mail and paths do not. */
export function mentionedAgents(prompt: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  if (!prompt.includes('@')) return [];
  const found = [...prompt.matchAll(/(?<![\w@./-])@([A-Za-z][\w-]*)(?![\w@/]|\.\w)/g)].map(
    ([, name = '']) => name,
  );
  return [...new Set(found)].filter((name) => known.has(name));
}
