// Reports one session to an OTLP collector: each journal entry as log records, each span of its trace when it ended.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type Attributes,
  type HrTime,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { type ExportResult, ExportResultCode, millisToHrTime } from '@opentelemetry/core';
import { type ISerializer, JsonLogsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { createSpanReader, type ReadSpan, type Timed } from '../trace/read-spans.ts';
import { version } from '../version.ts';
import type { Collector } from './collector.ts';
import { describeEntry } from './describe-entry.ts';
import { describeSpan } from './describe-span.ts';
import { type EndpointOptions, openEndpoint } from './endpoint.ts';

export interface ReporterOptions extends EndpointOptions {
  readonly session: string;
  /** Told of each failure, in words for a person. */
  readonly onFailure: (why: string) => void;
}

export interface Reporter {
  /** Never waits. */
  add(timed: Timed): void;
  /** Sends what is left, for that long at most, and hangs up. */
  close(withinMs: number): Promise<void>;
}

const scope = { name: 'codey', version };

/**
 * Batches go out every few seconds and at the end. Two thousand spans and as many records wait at most; while the collector
 * takes none, later ones are lost.
 */
export async function createReporter(options: ReporterOptions): Promise<Reporter> {
  const { session, onFailure } = options;
  const resource = resourceOf();
  const collector = await openEndpoint(options);
  const spans = new BatchSpanProcessor({
    exporter: exporterTo(collector, 'traces', JsonTraceSerializer, onFailure),
  });
  const records = new LoggerProvider({
    resource,
    processors: [
      new BatchLogRecordProcessor({
        exporter: exporterTo(collector, 'logs', JsonLogsSerializer, onFailure),
      }),
    ],
  });
  const logger = records.getLogger(scope.name, scope.version);
  const contextOf = createContexts(session);
  const common: Attributes = { 'session.id': session, 'gen_ai.conversation.id': session };
  const reader = createSpanReader({
    settled(span) {
      const made = toReadable(span, contextOf, common, resource);
      if (made !== undefined) spans.onEnd(made);
    },
  });

  return {
    add(timed) {
      const about = contextOf(reader.read(timed));
      for (const { eventName, severity, body, attributes } of describeEntry(timed.entry)) {
        logger.emit({
          eventName,
          timestamp: timed.time,
          severityText: severity,
          severityNumber: SeverityNumber[severity],
          body,
          attributes: known({ ...common, ...attributes }),
          context: trace.setSpanContext(ROOT_CONTEXT, about),
        });
      }
    },
    async close(withinMs) {
      reader.finish(Date.now());
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          onFailure(`no answer in the ${withinMs} ms that the end waits for it`);
          resolve();
        }, withinMs);
      });
      const sent = Promise.allSettled([spans.forceFlush(), records.forceFlush()]).then(collector.idle);
      await Promise.race([sent, tooLate]);
      clearTimeout(timer);
      collector.hangUp();
    },
  };
}

/** Which machine it is. Who is to be told apart more finely says so in OTEL_RESOURCE_ATTRIBUTES. */
function resourceOf(): Resource {
  return resourceFromAttributes({
    'service.name': 'codey',
    'service.version': version,
    'host.name': hostname(),
  }).merge(detectResources({ detectors: [envDetector] }));
}

/** OpenTelemetry's own exporter cannot be called off: what it repeats and waits for would keep the program from ending. */
function exporterTo<Item>(
  collector: Collector,
  signal: 'traces' | 'logs',
  serializer: ISerializer<Item[], unknown>,
  onFailure: (why: string) => void,
) {
  async function deliver(items: Item[]): Promise<ExportResult> {
    const why = await collector.send(signal, serializer.serializeRequest(items) ?? new Uint8Array());
    if (why !== undefined) onFailure(why);
    return { code: why === undefined ? ExportResultCode.SUCCESS : ExportResultCode.FAILED };
  }
  return {
    export(items: Item[], tell: (result: ExportResult) => void): void {
      void deliver(items).then(tell);
    },
    forceFlush: collector.idle,
    shutdown: async (): Promise<void> => {},
  };
}

/**
 * A trace for each session, also where it is resumed by another process: its id comes from that of the session, so that
 * who has the one finds the other.
 */
function createContexts(session: string): (span: ReadSpan) => SpanContext {
  const traceId = createHash('sha256').update(session).digest('hex').slice(0, 32);
  const known = new WeakMap<ReadSpan, SpanContext>();
  return (span) => {
    const context = known.get(span) ?? {
      traceId,
      spanId: randomBytes(8).toString('hex'),
      traceFlags: TraceFlags.SAMPLED,
    };
    known.set(span, context);
    return context;
  };
}

function toReadable(
  span: ReadSpan,
  contextOf: (span: ReadSpan) => SpanContext,
  common: Attributes,
  resource: Resource,
): ReadableSpan | undefined {
  const described = describeSpan(span);
  if (described === undefined) return undefined;
  const { start, end = start, parent } = span;
  return {
    name: described.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => contextOf(span),
    ...(parent !== undefined && { parentSpanContext: contextOf(parent) }),
    startTime: hrTime(start),
    endTime: hrTime(end),
    duration: hrTime(Math.max(0, end - start)),
    ended: true,
    status: { code: described.failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: known({ ...common, ...described.attributes }),
    links: [],
    events: [],
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** The processors take what they are given, and OTLP has no word for a value that is not there. */
function known(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** In whole nanoseconds: hooks are timed in fractions of a millisecond. */
function hrTime(ms: number): HrTime {
  const [seconds, nanoseconds] = millisToHrTime(ms);
  return [seconds, Math.round(nanoseconds)];
}
