// Which hooks are the same hook: by what they run, not by where or when.
import { createHash } from 'node:crypto';
import type { Handler } from './hook.ts';

export interface Identified {
  readonly handler: Handler;
  readonly async: boolean;
  /** Root of the plugin or skill that contributed it: two plugins may use the same words for different files. */
  readonly root?: string;
}

/**
 * SHA-256 in hex over type, what runs, `async` and the contributor's root. Exact to the byte: `npm test` and
 * `npm  test` are two hooks, since only a shell knows whether a blank matters. Matcher, `if`, timeout and place are not
 * part of it.
 */
export function identityOf(hook: Identified): string {
  return digest([hook.handler.type, ...whatRuns(hook.handler), hook.async, hook.root ?? null]);
}

/** A lifecycle listener runs a shell command and nothing else. */
export function lifecycleIdentity(command: string, root?: string): string {
  return digest(['lifecycle', command, root ?? null]);
}

/** The short name of a hook in `disabledHooks`, `hooks list` and the journal. */
export function hookId(event: string, identity: string): string {
  return `${event}:${identity.slice(0, 8)}`;
}

/** Header order means nothing to a server, so it means nothing here. */
function whatRuns(handler: Handler): readonly unknown[] {
  switch (handler.type) {
    case 'command':
    case 'worker':
      return [handler.command, handler.args ?? null, handler.shell ?? null];
    case 'http':
      return [handler.url, Object.entries(handler.headers).sort(([one], [other]) => (one < other ? -1 : 1))];
    case 'prompt':
    case 'agent':
      return [handler.prompt, handler.model ?? null];
    case 'function':
      return [handler.name];
  }
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
