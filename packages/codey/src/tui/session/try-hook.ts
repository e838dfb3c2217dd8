// Runs one hook on the sample of its event, outside any run: nothing it says has an effect.
import {
  compileMatcher,
  createCommandListener,
  createCommandRunner,
  createHookEngine,
  createHttpRunner,
  createOnce,
  createProcessHost,
  createWorkerRunner,
  type DispatchContext,
  type EnginePorts,
  type HookDefinition,
  type HookReport,
  type HookSnapshot,
  type JournalEntry,
  type LifecycleEvent,
  type LifecycleHook,
  lifecycleCatalogue,
  policyCatalogue,
  trustEverything,
} from '@codey/hooks';
import type { World } from '../../start/world.ts';

/** What came of it, a line each. Whoever calls has seen to it that the hook may run. */
export async function tryHook(
  hook: HookDefinition | LifecycleHook,
  { switches }: HookSnapshot,
  projectRoot: string,
  world: World,
): Promise<readonly string[]> {
  const said: string[] = [];
  const entries: JournalEntry[] = [];
  const processes = createProcessHost();
  const ports = enginePorts(world, processes, said, entries, switches);
  const alone = { ...switches, disableAll: 'none', disabledIds: new Set<string>(), noHooks: false } as const;
  if (!('handler' in hook)) {
    const listen = createCommandListener({
      projectRoot,
      depth: 0,
      snapshot: () => ({ policy: [], lifecycle: [hook], switches: alone }),
      processes,
      ports,
    });
    await listen({ ...noFacts, event: hook.event, ...lifecycleCatalogue[hook.event].example });
    await processes.settle(2_000);
    return [...said, ...entries.flatMap(lifecycleOutcome)];
  }
  const engine = createHookEngine({
    session: 'sample',
    projectRoot,
    snapshot: { policy: [matchingAll(hook)], lifecycle: [], switches: alone },
    depth: 0,
    ports,
  });
  const payload = policyCatalogue[hook.event].example;
  const { reports } = await engine.dispatch(hook.event, payload, sampleContext(projectRoot));
  await engine.close();
  await processes.settle(2_000);
  return [...reports.flatMap(reportLines), ...said];
}

/** The sample is about one tool only; the hook is tried whatever it usually waits for. */
function matchingAll(hook: HookDefinition): HookDefinition {
  const { condition: _condition, ...rest } = hook;
  const everything = compileMatcher('');
  return { ...rest, async: false, once: false, ...(everything.ok && { matcher: everything.matcher }) };
}

function reportLines({ outcome, durationMs, printed, exit }: HookReport): readonly string[] {
  const why =
    outcome.kind === 'blocked'
      ? `: ${outcome.reason}`
      : outcome.kind === 'failed'
        ? `: ${outcome.message}`
        : '';
  return [
    `${outcome.kind}${why} · ${Math.round(durationMs)} ms${exit === undefined ? '' : ` · exit ${exit}`}`,
    ...printedLines('stdout', printed?.stdout),
    ...printedLines('stderr', printed?.stderr),
  ];
}

function printedLines(stream: string, text = ''): readonly string[] {
  return text.trim() === '' ? [] : [`${stream}: ${text.trim()}`];
}

function lifecycleOutcome(entry: JournalEntry): readonly string[] {
  return entry.kind === 'dispatch' ? entry.hooks.map(({ outcome, ms = 0 }) => `${outcome} · ${ms} ms`) : [];
}

function enginePorts(
  world: World,
  processes: ReturnType<typeof createProcessHost>,
  said: string[],
  entries: JournalEntry[],
  switches: HookSnapshot['switches'],
): EnginePorts {
  const { environment } = world;
  return {
    runners: {
      command: createCommandRunner({ processes }),
      worker: createWorkerRunner({ processes, onNotice: (sentence) => void said.push(sentence) }),
      http: createHttpRunner({ environment, allowedUrls: () => switches.allowedHttpUrls }),
    },
    environment,
    journal: { append: (entry) => void entries.push(entry), flush: async () => {} },
    trust: trustEverything,
    once: createOnce(new Set(), () => {}),
    subjectOf: () => ({ kind: 'none' }),
    notify: (notice) => void said.push(notice.kind === 'message' ? notice.text : notice.sentence),
    keepOutput: async () => undefined,
    spill: async () => undefined,
    now: () => performance.now(),
    date: () => new Date(),
    uniqueId: () => crypto.randomUUID(),
  };
}

function sampleContext(projectRoot: string): DispatchContext {
  return {
    agent: { id: 'main', type: 'main' },
    workspace: projectRoot,
    cwd: projectRoot,
    turn: 1,
    model: 'sample',
    permissionMode: 'default',
    transcriptPath: '',
    usage: { input_tokens: 0, output_tokens: 0, context_share: null },
  };
}

const noFacts: LifecycleEvent = {
  event: 'session_start',
  session: 'sample',
  agent: 'main',
  turn: '',
  tool: '',
  reason: '',
  message: '',
  error: '',
  time: new Date(0).toISOString(),
};
