// Runs one hook on the sample of its event, outside any run: nothing it says has an effect.
import { compileMatcher, type HookDefinition, type HookSnapshot, type LifecycleHook } from '@codey/hooks';
import { ask } from '../../commands/hook-test/ask.ts';
import { readQuestion } from '../../commands/hook-test/question.ts';
import type { TestedHook } from '../../commands/hook-test/tested.ts';
import type { Project } from '../../start/project.ts';
import type { World } from '../../start/world.ts';

/** What came of it, a line each. A hook that the user has not agreed to is not run here either. */
export async function tryHook(
  hook: HookDefinition | LifecycleHook,
  project: Project,
  world: World,
): Promise<readonly string[]> {
  const read = readQuestion({ event: hook.event }, project.root);
  if (!read.ok) return read.problems;
  const { hooks, consequences } = await ask(read.question, {
    project: { ...project, snapshot: only(hook, project.snapshot) },
    world,
    depth: 0,
    dryRun: false,
  });
  return [...hooks.flatMap(outcomeLines), ...consequences];
}

/** Whatever it usually waits for and whether it is on: the user wants to see what it does. */
function only(hook: HookDefinition | LifecycleHook, { switches }: HookSnapshot): HookSnapshot {
  const on = { ...switches, disabledIds: new Set<string>() };
  if (!('handler' in hook)) return { policy: [], lifecycle: [hook], switches: on };
  const { condition: _condition, ...rest } = hook;
  const everything = compileMatcher('');
  return {
    policy: [{ ...rest, once: false, ...(everything.ok && { matcher: everything.matcher }) }],
    lifecycle: [],
    switches: on,
  };
}

function outcomeLines({ outcome, why, explanation, asked }: TestedHook): readonly string[] {
  const last = asked.at(-1);
  const reason = explanation ?? why;
  return [
    [
      outcome,
      ...(reason === undefined ? [] : [`: ${reason}`]),
      ...(last === undefined ? [] : [`, ${last.ms} ms`]),
    ].join(''),
    ...printed('stdout', last?.stdout),
    ...printed('stderr', last?.stderr),
  ];
}

function printed(stream: string, text = ''): readonly string[] {
  return text.trim() === '' ? [] : [`${stream}: ${text.trim()}`];
}
