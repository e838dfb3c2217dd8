// A hook as every command of the workbench lists it.
import type { HookDefinition, LifecycleHook } from '@codey/hooks';

export interface DescribedHook {
  readonly id: string;
  readonly event: string;
  readonly type: string;
  readonly matcher?: string;
  readonly if?: string;
  /** The command, address or prompt, whole. */
  readonly runs: string;
  readonly scope: string;
  readonly file: string;
  readonly line: number;
}

export function describeHook(hook: HookDefinition | LifecycleHook): DescribedHook {
  const { id, event, source } = hook;
  return {
    id,
    event,
    ...whatItIs(hook),
    scope: source.scope,
    file: source.file,
    line: source.line,
  };
}

function whatItIs(
  hook: HookDefinition | LifecycleHook,
): Pick<DescribedHook, 'type' | 'matcher' | 'if' | 'runs'> {
  if (!('handler' in hook)) return { type: 'command', runs: hook.command };
  return {
    type: hook.handler.type,
    ...(hook.matcher.text !== '' && { matcher: hook.matcher.text }),
    ...(hook.condition !== undefined && { if: hook.condition.text }),
    runs: textOf(hook.handler),
  };
}

function textOf(handler: HookDefinition['handler']): string {
  switch (handler.type) {
    case 'command':
    case 'worker':
      return [handler.command, ...(handler.args ?? [])].join(' ');
    case 'http':
      return handler.url;
    case 'prompt':
    case 'agent':
      return handler.prompt;
    case 'function':
      return handler.name;
  }
}
