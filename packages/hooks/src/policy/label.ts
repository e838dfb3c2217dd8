// How a hook is called in front of people: by the place where they can change it.
import { basename, posix } from 'node:path';
import type { HookDefinition, LifecycleHook, Source } from '../config/hook.ts';
import type { Attributed } from './decision.ts';

/** `settings.json:12`; a contributor's file is named with it, as in `my-plugin/hooks.json:3`. */
export function sourceLabel(source: Source): string {
  const name = basename(source.file);
  const place = source.line > 0 ? `${name}:${source.line}` : name;
  return source.contributor === undefined ? place : `${source.contributor}/${place}`;
}

/** `guard.sh, settings.json:12`: what runs and where it was written. */
export function hookLabel(hook: HookDefinition | LifecycleHook): string {
  return `${whatRuns(hook)}, ${sourceLabel(hook.source)}`;
}

/** A hook's text with the hook it came from. */
export function attribute(hook: HookDefinition, text: string): Attributed {
  return { hook: hookLabel(hook), place: sourceLabel(hook.source), text };
}

/** The shortest name people recognise: the script or program, the host of a url, the kind of a model hook. */
export function whatRuns(hook: HookDefinition | LifecycleHook): string {
  if (!('handler' in hook)) return programName(hook.command);
  switch (hook.handler.type) {
    case 'command':
    case 'worker':
      return programName(hook.handler.command, hook.handler.args);
    case 'http':
      return hostOf(hook.handler.url);
    case 'prompt':
    case 'agent':
      return `${hook.handler.type} hook`;
    case 'function':
      return hook.handler.name;
  }
}

const interpreters = /^(?:ba|da|z|fi|k)?sh$|^(?:python[\d.]*|node|ruby|perl|deno|bun|npx|env|exec)$/;

/** Skips interpreters and variables, so that `python3 "$DIR/guard.py" --strict` is called `guard.py`. */
function programName(command: string, args: readonly string[] = []): string {
  const words = [...command.trim().split(/\s+/), ...args].map((word) => word.replace(/^["']|["';]+$/g, ''));
  const named = words.find((word) => {
    const name = posix.basename(word);
    return name !== '' && !word.startsWith('-') && !/^\w+=/.test(word) && !interpreters.test(name);
  });
  const name = posix.basename(named ?? words[0] ?? '');
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return 'http hook';
  }
}
