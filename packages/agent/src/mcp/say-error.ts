// What an error of the protocol says, without the code the SDK puts before it.

export function sayError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^MCP error -?\d+: /, '');
}
