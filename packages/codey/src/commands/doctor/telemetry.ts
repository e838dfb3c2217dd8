// Whether the collector that settings name takes what it is sent: asked with a trace that has nothing in it.
import { resolveSettings } from '@codey/hooks';
import { isReportingOff, sayEndpoint } from '../../start/telemetry.ts';
import type { Check } from './finding.ts';

/** Milliseconds for it to answer. */
const patience = 5_000;

/** Says nothing where none is named. */
export const checkTelemetry: Check = async ({ loaded, world: { environment } }) => {
  const endpoint = resolveSettings(loaded, { agreed: () => false }).telemetry.otlpEndpoint;
  if (endpoint === undefined) return [];
  const where = sayEndpoint(endpoint);
  if (isReportingOff(environment))
    return [
      { about: 'telemetry', state: 'ok', what: `OTEL_SDK_DISABLED is set: nothing is sent to ${where}` },
    ];
  const { openEndpoint } = await import('../../telemetry/endpoint.ts');
  const collector = await openEndpoint({ endpoint, environment, limitMs: patience });
  const why = await collector.send('traces', new TextEncoder().encode('{"resourceSpans":[]}'));
  collector.hangUp();
  return [
    why === undefined
      ? { about: 'telemetry', state: 'ok', what: `sessions are reported to ${where}` }
      : {
          about: 'telemetry',
          state: 'problem',
          what: `${where} takes no reports: ${why}`,
          todo: 'look at telemetry.otlpEndpoint, the collector, and OTEL_EXPORTER_OTLP_HEADERS',
        },
  ];
};
