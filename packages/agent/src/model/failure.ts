// Reads what went wrong between us and a provider: which kind, in whose words, and whether asking again can help.
import { ModelError, type ModelErrorKind } from './model.ts';
import { redact } from './redact.ts';
import { isObject } from '@codey/hooks';

export interface Failure {
  readonly error: ModelError;
  /** `once`: an answer that makes no sense may be an accident, twice it is not. */
  readonly again: 'yes' | 'once' | 'no';
}

export interface FailureContext {
  /** The provider as people call it; every sentence starts with it. */
  readonly label: string;
  /** Sentences by which this provider says that the conversation is too long. */
  readonly overflow: RegExp;
  /** Names the variable the key came from. */
  readonly keyHint: string;
  /** Values that must not appear in a sentence. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970, to read a date in `retry-after`. */
  readonly now: () => number;
}

/**
 * Turns anything a provider's client threw or streamed into a ModelError. The client's own error is not kept as cause:
 * it holds the whole request, and an error travels to logs and hooks that must not hold conversation text.
 */
export function readFailure(thrown: unknown, context: FailureContext): Failure {
  if (thrown instanceof ModelError) return { error: thrown, again: againByKind(thrown.kind) };
  const network = networkCause(thrown);
  if (network !== undefined) return networkFailure(network, thrown, context);
  const report = readReport(thrown);
  if (report.unreadable) return malformed(context);
  return reported(report, context);
}

/** What a provider said, wherever in the client's error it stands. */
interface Report {
  readonly status: number | undefined;
  /** The provider's word for the error: `overloaded_error`, `context_length_exceeded`, `RESOURCE_EXHAUSTED`. */
  readonly code: string;
  readonly sentence: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The answer could not be parsed; the client's sentence would quote it. */
  readonly unreadable: boolean;
}

function reported(report: Report, context: FailureContext): Failure {
  const kind = kindOf(report, context);
  const retryAfterMs = retryAfter(report, context.now());
  const hint = kind === 'authentication' ? `; ${context.keyHint}` : '';
  const status = report.status === undefined ? '' : ` (HTTP ${report.status})`;
  const sentence = tidy(report.sentence, context.secrets) || 'refused without saying why';
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const error = new ModelError(kind, `${context.label}: ${sentence}${status}${hint}`, wait);
  return { error, again: mayAskAgain(kind, report) };
}

function kindOf({ status, code, sentence }: Report, { overflow }: FailureContext): ModelErrorKind {
  const words = `${code} ${sentence}`;
  if (status === 413 || /context_length_exceeded|exceed_context_size/.test(code) || overflow.test(sentence)) {
    return 'context-overflow';
  }
  if (
    status === 401 ||
    status === 403 ||
    /authentication|permission_error|UNAUTHENTICATED|PERMISSION_DENIED/.test(code)
  ) {
    return 'authentication';
  }
  // Google answers a wrong key with 400.
  if (/API_KEY_INVALID|API key not valid/i.test(words)) return 'authentication';
  if (status === 529 || status === 503 || /overloaded|UNAVAILABLE/.test(code)) return 'overloaded';
  if (status === 429 || /rate_limit|insufficient_quota|RESOURCE_EXHAUSTED/.test(code)) return 'rate-limit';
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) return 'server';
  // A failure inside a stream comes without a status; what is not the caller's fault is the server's.
  if (status === undefined && !/invalid|not_found|INVALID_ARGUMENT|NOT_FOUND/.test(code)) return 'server';
  return 'invalid-request';
}

function mayAskAgain(kind: ModelErrorKind, report: Report): Failure['again'] {
  // Both makers that send this header know better than any rule here.
  if (report.headers['x-should-retry'] === 'false') return 'no';
  if (/insufficient_quota/.test(report.code)) return 'no';
  return againByKind(kind);
}

function againByKind(kind: ModelErrorKind): Failure['again'] {
  switch (kind) {
    case 'rate-limit':
    case 'overloaded':
    case 'server':
    case 'network':
      return 'yes';
    case 'malformed':
      return 'once';
    case 'authentication':
    case 'context-overflow':
    case 'invalid-request':
    case 'script':
      return 'no';
  }
}

function malformed(context: FailureContext): Failure {
  const error = new ModelError(
    'malformed',
    `${context.label}: the answer is not in the format of its API; check the base URL and any proxy on the way`,
  );
  return { error, again: againByKind('malformed') };
}

const networkCode = /^(?:UND_ERR_|E[A-Z]{3,}|EAI_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL)/;
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/;

function networkFailure(code: string, thrown: unknown, context: FailureContext): Failure {
  const sentence = `${whatBroke(code, originOf(thrown))} (${code})`;
  return {
    error: new ModelError('network', `${context.label}: ${sentence}`),
    // A certificate is not trusted any more a second later.
    again: certificateCode.test(code) ? 'no' : againByKind('network'),
  };
}

function whatBroke(code: string, where: string | undefined): string {
  if (/ECONNRESET|UND_ERR_SOCKET|EPIPE/.test(code)) return 'the connection was lost';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'no answer in time';
  return where === undefined ? 'cannot connect' : `cannot connect to ${where}`;
}

/** The first system code in the chain of causes; undici and the operating system set one, API errors do not. */
function networkCause(thrown: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let error = thrown; isObject(error) && !seen.has(error); error = error.cause) {
    seen.add(error);
    if (error instanceof Error && typeof error.code === 'string' && networkCode.test(error.code))
      return error.code;
  }
  return undefined;
}

/** Only the origin: a path or query could hold a key. */
function originOf(thrown: unknown): string | undefined {
  const url = isObject(thrown) && typeof thrown.url === 'string' ? thrown.url : undefined;
  if (url === undefined) return undefined;
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** Errors of the client about an answer it could not make sense of. */
const unreadableNames = /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)Error$/;

function readReport(thrown: unknown): Report {
  const error = isObject(thrown) ? thrown : { message: String(thrown) };
  const body = typeof error.responseBody === 'string' ? parseJson(error.responseBody) : (error.data ?? error);
  const told = toldBy(body);
  const status = typeof error.statusCode === 'number' ? error.statusCode : told.status;
  return {
    status: status === 200 ? undefined : status,
    code: told.code,
    sentence: told.sentence ?? (typeof error.message === 'string' ? error.message : ''),
    headers: isObject(error.responseHeaders) ? (error.responseHeaders as Record<string, string>) : {},
    body,
    unreadable: [error, body].some((part) => isObject(part) && unreadableNames.test(String(part.name))),
  };
}

interface Told {
  readonly status?: number;
  readonly code: string;
  readonly sentence?: string;
}

/** The words of the makers' error bodies: an `error` object, or its fields, or a list with one of them. */
function toldBy(body: unknown): Told {
  if (Array.isArray(body)) return toldBy(body[0]);
  if (!isObject(body)) return { code: '' };
  if (isObject(body.response)) return toldBy(body.response);
  if (isObject(body.error)) return toldBy(body.error);
  if (typeof body.error === 'string') return { code: '', sentence: body.error };
  const codes = [body.type, body.code, body.status, ...reasonsIn(body.details)];
  const sentence = [body.message, body.detail].find((text) => typeof text === 'string');
  return {
    code: codes.filter((code) => typeof code === 'string').join(' '),
    ...(typeof body.code === 'number' && body.code >= 400 ? { status: body.code } : {}),
    ...(typeof sentence === 'string' ? { sentence } : {}),
  };
}

function reasonsIn(details: unknown): unknown[] {
  return Array.isArray(details)
    ? details.map((detail) => (isObject(detail) ? detail.reason : undefined))
    : [];
}

/** Milliseconds the provider asks us to wait: `retry-after-ms`, `retry-after` in seconds or as a date, Google's `retryDelay`. */
function retryAfter({ headers, body }: Report, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const header = headers['retry-after']?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const details = isObject(body) && isObject(body.error) ? body.error.details : undefined;
  for (const detail of Array.isArray(details) ? details : []) {
    const delay = isObject(detail) && typeof detail.retryDelay === 'string' ? detail.retryDelay : '';
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}

/** One line of bounded length; an HTML page is not a sentence. */
function tidy(sentence: string, secrets: readonly string[]): string {
  if (/^\s*<(?:!doctype|html)/i.test(sentence)) return '';
  const line = sentence.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const safe = redact(line, secrets);
  return safe.length > 500 ? `${safe.slice(0, 499)}…` : safe;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
