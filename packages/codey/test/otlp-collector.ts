// A collector on this machine that keeps what it is sent, and collectors that fail in every way there is.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';

type Value = string | number | boolean | undefined;

export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, Value>>;
}

export interface SentRecord {
  readonly eventName: string;
  readonly severity: string;
  readonly body: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, Value>>;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Collecting {
  readonly url: string;
  readonly requests: readonly SentRequest[];
  readonly spans: () => readonly SentSpan[];
  readonly records: () => readonly SentRecord[];
  /** Attributes of the machine and the program, of every request. */
  readonly resources: () => readonly Readonly<Record<string, Value>>[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collecting> {
  const requests: SentRequest[] = [];
  const { url, close } = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, headers, body });
      response.setHeader('content-type', 'application/json');
      response.end('{"partialSuccess":{}}');
    });
  });
  const bodies = (path: string) =>
    requests.filter((request) => request.path.endsWith(path)).map(({ body }) => JSON.parse(body));
  const traces = (): readonly OtlpTraces[] => bodies('/v1/traces');
  const logs = (): readonly OtlpLogs[] => bodies('/v1/logs');
  const resourceSpans = () => traces().flatMap((body) => body.resourceSpans);
  const resourceLogs = () => logs().flatMap((body) => body.resourceLogs);
  return {
    url,
    requests,
    spans: () =>
      resourceSpans().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(readSpan))),
    records: () =>
      resourceLogs().flatMap(({ scopeLogs }) =>
        scopeLogs.flatMap(({ logRecords }) => logRecords.map(readRecord)),
      ),
    resources: () =>
      [...resourceSpans(), ...resourceLogs()].map(({ resource }) => readAttributes(resource.attributes)),
    close,
  };
}

/** What stands at an address where a collector should, by what it does. */
export const badCollectors: Readonly<Record<string, () => Promise<Serving>>> = {
  'refuses connections': async () => {
    const gone = await serve(() => {});
    await gone.close();
    return gone;
  },
  'never answers': () => serve(() => {}),
  'answers without an end': () => serve((_, response) => void response.writeHead(200).write('{')),
  'answers more than anybody reads': () =>
    serve((_, response) => void response.writeHead(200).write('x'.repeat(1_000_000))),
  'answers 500': () => serve((_, response) => response.writeHead(500).end('broken')),
  'answers 503': () => serve((_, response) => response.writeHead(503).end()),
  'is another page': () => serve((_, response) => response.end('<!doctype html><p>Welcome')),
  'leads elsewhere': () =>
    serve((_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/v1/traces' }).end()),
  'rejects what it is sent': () =>
    serve((_, response) =>
      response.end('{"partialSuccess":{"rejectedSpans":"3","rejectedLogRecords":"3","errorMessage":"no"}}'),
    ),
  'speaks no HTTP': () => listen(createSocketServer((socket) => socket.end('SSH-2.0-x\r\n'))),
  'hangs up': () => listen(createSocketServer((socket) => socket.destroy())),
};

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

function serve(answer: RequestListener): Promise<Serving> {
  return listen(createServer(answer));
}

async function listen(server: Server): Promise<Serving> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
    readonly intValue?: number | string;
  };
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly OtlpAttribute[];
}

interface OtlpRecord {
  readonly eventName: string;
  readonly severityText: string;
  readonly body: { readonly stringValue: string };
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly OtlpAttribute[];
}

interface OtlpResource {
  readonly resource: { readonly attributes: readonly OtlpAttribute[] };
}

interface OtlpTraces {
  readonly resourceSpans: readonly (OtlpResource & {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  })[];
}

interface OtlpLogs {
  readonly resourceLogs: readonly (OtlpResource & {
    readonly scopeLogs: readonly { readonly logRecords: readonly OtlpRecord[] }[];
  })[];
}

function readSpan(span: OtlpSpan): SentSpan {
  const { name, traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, status } = span;
  return {
    name,
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    startMs: Number(startTimeUnixNano) / 1e6,
    endMs: Number(endTimeUnixNano) / 1e6,
    failed: status.code === 2,
    attributes: readAttributes(span.attributes),
  };
}

function readRecord({ severityText, body, ...record }: OtlpRecord): SentRecord {
  return {
    ...record,
    severity: severityText,
    body: body.stringValue,
    attributes: readAttributes(record.attributes),
  };
}

function readAttributes(attributes: readonly OtlpAttribute[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.doubleValue ?? value.boolValue ?? Number(value.intValue),
    ]),
  );
}
