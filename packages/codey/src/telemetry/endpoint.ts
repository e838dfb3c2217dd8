// The collector that settings name, with the headers that the usual variables ask for.
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { type Collector, connectCollector } from './collector.ts';

export interface EndpointOptions {
  readonly endpoint: string;
  /** Of the program, without what settings add: what stands there about OTLP is the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** For one request with its repetitions; ten seconds unless given. */
  readonly limitMs?: number;
}

export function openEndpoint({ endpoint, environment, limitMs }: EndpointOptions): Promise<Collector> {
  const headersFor = (signal: 'TRACES' | 'LOGS') => ({
    ...parseKeyPairsIntoRecord(environment.OTEL_EXPORTER_OTLP_HEADERS),
    ...parseKeyPairsIntoRecord(environment[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
  });
  return connectCollector({
    endpoint: new URL(endpoint),
    headers: { traces: headersFor('TRACES'), logs: headersFor('LOGS') },
    ...(limitMs !== undefined && { limitMs }),
  });
}
