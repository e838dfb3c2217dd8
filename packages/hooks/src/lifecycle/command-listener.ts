// Runs the shell commands that settings list for a lifecycle event, one after another.
import type { LifecycleHook } from '../config/hook.ts';
import type { HookSnapshot } from '../config/snapshot.ts';
import { whySwitchedOff } from '../config/switched-off.ts';
import type { JournaledHook } from '../journal/entry.ts';
import { journaledHook } from '../policy/journaled-hook.ts';
import { hookLabel, sourceLabel } from '../policy/label.ts';
import type { Outcome, SkipReason } from '../policy/outcome.ts';
import type { EnginePorts } from '../policy/ports.ts';
import { hookEnvironment } from '../runners/environment.ts';
import { missingProgram } from '../runners/missing.ts';
import type { ProcessHost, ProcessResult } from '../runners/process.ts';
import type { LifecycleHolder } from './bus.ts';
import { type LifecycleEvent, type LifecycleValue, lifecycleValues } from './catalogue.ts';

/** Seconds each command has before it is abandoned; not a setting, so that no event holds an agent for long. */
const deadlineMs = 10_000;
/** Bytes kept of a failing command's output; the journal shows 500 characters of it. */
const outputCap = 8 * 1024;
const detailCap = 500;

export interface CommandListenerOptions {
  readonly projectRoot: string;
  readonly depth: number;
  /** Read at each event, so that an accepted change of settings counts from the next one on. */
  readonly snapshot: () => HookSnapshot;
  readonly processes: ProcessHost;
  readonly ports: Pick<
    EnginePorts,
    'environment' | 'journal' | 'trust' | 'notify' | 'observer' | 'uniqueId' | 'cut'
  >;
}

/**
 * A command gets the event as variables and as JSON on stdin, and whatever it does changes nothing about the run.
 * Its output is dropped unless it fails: then the journal keeps the beginning of what it printed.
 */
export function createCommandListener(options: CommandListenerOptions): LifecycleHolder {
  return async (event) => {
    const hooks = options.snapshot().lifecycle.filter((hook) => hook.event === event.event);
    if (hooks.length === 0) return;
    const done: JournaledHook[] = [];
    const seen = new Set<string>();
    for (const hook of hooks) {
      const why = await whySkipped(hook, seen, options);
      if (why === undefined) seen.add(hook.identity);
      done.push(
        why === undefined
          ? await runCommand(hook, event, options)
          : journaledHook(hook, { kind: 'skipped', why }),
      );
    }
    options.ports.journal.append({
      kind: 'dispatch',
      dispatch: options.ports.uniqueId(),
      event: event.event,
      agent: event.agent,
      turn: event.turn,
      ...(event.tool !== '' && { tool: event.tool }),
      verdict: 'none',
      ms: done.reduce((sum, hook) => sum + (hook.ms ?? 0), 0),
      hooks: done,
    });
  };
}

async function whySkipped(
  hook: LifecycleHook,
  seen: ReadonlySet<string>,
  options: CommandListenerOptions,
): Promise<SkipReason | undefined> {
  const off = whySwitchedOff(hook, options.snapshot().switches, options.depth);
  if (off !== undefined) return off;
  const trust = await options.ports.trust.check(hook);
  if (trust.kind === 'untrusted') return 'untrusted';
  if (trust.kind !== 'trusted') return 'modified';
  return seen.has(hook.identity) ? 'duplicate' : undefined;
}

async function runCommand(
  hook: LifecycleHook,
  event: LifecycleEvent,
  options: CommandListenerOptions,
): Promise<JournaledHook> {
  const { ports, projectRoot, processes } = options;
  const runId = ports.uniqueId();
  const environment = hookEnvironment({
    base: ports.environment,
    projectDir: projectRoot,
    sessionId: event.session,
    depth: options.depth + 1,
    runId,
    withhold: hook.source.fromRepository ? options.snapshot().switches.withhold : [],
    extra: eventVariables(event),
  });
  ports.observer?.started({ runId, hook, label: hookLabel(hook) });
  const result = await processes.run({
    argv: ['/bin/sh', '-c', hook.command],
    cwd: projectRoot,
    environment,
    input: `${JSON.stringify(event)}\n`,
    deadlineMs,
    marker: { name: 'CODEY_HOOK_RUN', value: runId },
    outputCap,
    ...(ports.cut !== undefined && { signal: ports.cut }),
  });
  const outcome = outcomeOf(hook, result, { projectRoot, environment });
  ports.observer?.ended({ runId, outcome });
  if (outcome.kind !== 'passed') reportFailure(hook, event, outcome, result, ports);
  return {
    ...journaledHook(hook, outcome),
    ms: Math.round(result.durationMs * 10) / 10,
    ...(result.end.kind === 'exited' && { exit: result.end.code }),
  };
}

/** Exported under both prefixes; always all of them, so that a one-liner never has to test first. */
function eventVariables(event: LifecycleEvent): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(lifecycleValues).flatMap(([key, { variable }]) => {
      if (variable === null) return [];
      const value = event[key as LifecycleValue];
      return [
        [`CODEY_${variable}`, value],
        [`KODER_${variable}`, value],
      ];
    }),
  );
}

function outcomeOf(
  hook: LifecycleHook,
  result: ProcessResult,
  where: { readonly projectRoot: string; readonly environment: Readonly<Record<string, string>> },
): Outcome {
  const { end } = result;
  switch (end.kind) {
    case 'exited': {
      if (end.code === 0) return { kind: 'passed' };
      const missing = missingProgram({
        command: hook.command,
        cwd: where.projectRoot,
        environment: where.environment,
      });
      if (missing !== undefined) return { kind: 'failed', cause: 'missing', message: missing };
      return { kind: 'failed', cause: 'exit-code', message: `exit code ${end.code}` };
    }
    case 'signalled':
      return { kind: 'failed', cause: 'signal', message: `it was ended by ${end.signal}` };
    case 'timed-out':
      return end;
    case 'cancelled':
      return { kind: 'cancelled', why: 'exit' };
    case 'failed':
      return end;
    case 'answered':
      return { kind: 'passed' };
  }
}

function reportFailure(
  hook: LifecycleHook,
  event: LifecycleEvent,
  outcome: Outcome,
  result: ProcessResult,
  ports: CommandListenerOptions['ports'],
): void {
  if (outcome.kind !== 'cancelled') {
    const printed = (result.stderr.trim() || result.stdout.trim()).slice(0, detailCap);
    ports.journal.append({
      kind: 'hook_error',
      event: event.event,
      hook: hook.id,
      source: sourceLabel(hook.source),
      cause: outcome.kind === 'failed' ? outcome.cause : 'timed-out',
      ...(result.end.kind === 'exited' && { exit: result.end.code }),
      ...(printed !== '' && { detail: printed }),
    });
  }
  ports.notify({ kind: 'failure', sentence: `${event.event} hook ${hookLabel(hook)} ${said(outcome)}` });
}

function said(outcome: Outcome): string {
  if (outcome.kind === 'timed-out') return `was abandoned after ${outcome.afterMs / 1000} s`;
  if (outcome.kind === 'failed') return `failed: ${outcome.message}`;
  return 'was cut: no time was left for it';
}
