// What the hook engine gets from one session: runners, environment, places to keep things, clocks.
import {
  createCommandRunner,
  createHttpRunner,
  createOnce,
  createWorkerRunner,
  type EnginePorts,
  paneMarker,
  type ProcessHost,
  monotonicMs,
  randomId,
} from '@codey/hooks';
import type { HookSession } from './hooks/inside-hook.ts';
import { createModelHookRunners } from './hooks/ports.ts';
import type { StartOptions } from './live-session.ts';
import type { Model } from './model/model.ts';
import { subjectOfCall } from './tools/subject.ts';

/** The parts of a session that its hooks need. */
export interface EnginePortsFacts extends Pick<EnginePorts, 'transcripts' | 'envFiles' | 'cut' | 'date'> {
  readonly processes: ProcessHost;
  readonly model: () => Model;
  /** Asked when an agent hook runs, never before the session is put together. */
  readonly session: () => HookSession;
}

export function createEnginePorts(options: StartOptions, facts: EnginePortsFacts): EnginePorts {
  const { stored, openModel } = options;
  const { processes, model, session, ...given } = facts;
  return {
    ...given,
    runners: {
      command: createCommandRunner({ processes }),
      worker: createWorkerRunner({
        processes,
        onNotice: (sentence) => options.onHookNotice({ kind: 'failure', sentence }),
      }),
      http: createHttpRunner({
        environment: options.environment,
        allowedUrls: () => options.snapshot.switches.allowedHttpUrls,
      }),
      ...createModelHookRunners({
        models: { current: model, ...(openModel !== undefined && { open: openModel }) },
        session,
      }),
    },
    environment: { ...options.environment, ...paneMarker(options.environment, stored.id) },
    journal: options.journal,
    trust: options.trust,
    once: createOnce(stored.state().once, (identity) => void stored.append({ kind: 'once', identity })),
    subjectOf: subjectOfCall,
    notify: withoutRepeats(options.onHookNotice),
    ...(options.observer && { observer: options.observer }),
    keepOutput: (hook, printed) => stored.outputs.save(hook.id, printed),
    spill: (hook, text) => stored.outputs.spill(hook.id, text),
    now: monotonicMs,
    uniqueId: randomId,
  };
}

/** A hook that is held back is so at each of its events, and for the same cause: once is enough. */
function withoutRepeats(notify: StartOptions['onHookNotice']): StartOptions['onHookNotice'] {
  const said = new Set<string>();
  return (notice) => {
    if (notice.kind === 'held-back') {
      if (said.has(notice.sentence)) return;
      said.add(notice.sentence);
    }
    notify(notice);
  };
}
