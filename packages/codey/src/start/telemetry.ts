// Lets the collector know what happens in a session, where settings name one. Elsewhere nothing of OpenTelemetry is loaded.
import type { Journal, Settings } from '@codey/hooks';
import type { Timed } from '../trace/read-spans.ts';
import type { World } from './world.ts';

export interface SessionReport {
  readonly wrap: (journal: Journal) => Journal;
  /** Sends what is left, for a second at most, or for a moment where somebody is in a hurry. */
  readonly close: (hurry: boolean) => Promise<void>;
}

const flushMs = { calm: 1_000, hurried: 250 } as const;

/** Of this process. A collector that is away is away for every tab. */
const told = new Set<string>();

/** Undefined where no address is set, or where OTEL_SDK_DISABLED says that nothing is to be sent. */
export function reportSession(
  session: string,
  { telemetry: { otlpEndpoint } }: Pick<Settings, 'telemetry'>,
  { environment, notices }: Pick<World, 'environment' | 'notices'>,
): SessionReport | undefined {
  if (otlpEndpoint === undefined || isReportingOff(environment)) return undefined;

  const onFailure = (why: string): void => {
    const where = sayEndpoint(otlpEndpoint);
    if (told.has(where)) return;
    told.add(where);
    notices.warn(
      `telemetry.otlpEndpoint: ${where} does not take what is sent (${why}); sessions go unreported until it does. This is said once`,
    );
  };
  const waiting: Timed[] = [];
  let add = (timed: Timed): void => void waiting.push(timed);
  const loading = import('../telemetry/reporter.ts').then(async ({ createReporter }) => {
    const reporter = await createReporter({ endpoint: otlpEndpoint, session, environment, onFailure });
    for (const timed of waiting.splice(0)) reporter.add(timed);
    add = reporter.add;
    return reporter;
  });
  loading.catch((error: unknown) => {
    add = () => {};
    onFailure(String(error));
  });

  return {
    wrap: (journal) => ({
      ...journal,
      append(entry) {
        journal.append(entry);
        try {
          add({ entry, time: Date.now() });
        } catch (error) {
          // A session does not break because its report does.
          onFailure(String(error));
        }
      },
    }),
    async close(hurry) {
      const reporter = await loading.catch(() => undefined);
      await reporter?.close(hurry ? flushMs.hurried : flushMs.calm);
    },
  };
}

/** The switch that everything with OpenTelemetry has. */
export function isReportingOff(environment: World['environment']): boolean {
  return environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
}

/** Without what stands behind a question mark, which may be a key. */
export function sayEndpoint(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
