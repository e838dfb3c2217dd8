// Runs http hooks: the payload as a POST, the answer read like a command's stdout.
import type { LookupFunction } from 'node:net';
import { monotonicMs } from '../monotonic.ts';
import { bounded } from './bounded.ts';
import { buildHeaders } from './http-headers.ts';
import { type PostEnd, sendPost } from './http-post.ts';
import { outputCap } from './output-cap.ts';
import type { RunEnd, Runner, RunRequest } from './runner.ts';
import type { FailedEnd } from './spawn-failure.ts';
import { matchesUrlPattern } from './url-pattern.ts';

export interface HttpRunnerOptions {
  /** Where `${VAR}` in headers comes from: the session's environment, with nothing withheld. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The managed list of url patterns; undefined allows every url, an empty list none. */
  readonly allowedUrls?: () => readonly string[] | undefined;
  /** How names become addresses; `dns.lookup` if not given. */
  readonly lookup?: LookupFunction;
}

/** Redirects that keep the method and the payload. Any other would have to drop the payload and is not followed. */
const keepingRedirects = new Set([307, 308]);
const mostRedirects = 3;

/** Runs `http` hooks: posts the payload and reads the answer. Link-local and metadata addresses are refused. */
export function createHttpRunner(options: HttpRunnerOptions): Runner {
  return {
    async run(request) {
      const begun = monotonicMs();
      const waited = await bounded(request, (stop) => exchange(request, options, stop));
      const said = waited.kind === 'answer' ? waited : { end: waited, ...nothing };
      return {
        end: said.end,
        stdout: said.stdout,
        stderr: said.stderr,
        stdoutTruncated: said.truncated,
        durationMs: monotonicMs() - begun,
      };
    },
  };
}

interface Answer {
  readonly kind: 'answer';
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

const nothing = { stdout: '', stderr: '', truncated: false };

async function exchange(
  request: RunRequest,
  options: HttpRunnerOptions,
  stop: AbortSignal,
): Promise<Answer | FailedEnd> {
  const { handler } = request.hook;
  if (handler.type !== 'http') throw new TypeError(`an http runner was given a ${handler.type} hook`);
  const built = buildHeaders(handler.headers, handler.allowedEnvVars, options.environment);
  if (built.kind === 'refused') return fail('http-network', `nothing was sent: ${built.message}`);

  let url = parseUrl(handler.url);
  for (let redirects = 0; ; redirects += 1) {
    if (url === undefined) return fail('http-address', 'nothing was sent: its url is no http or https url');
    const forbidden = whyForbidden(url, options);
    if (forbidden !== undefined) return fail('http-address', forbidden);
    if (redirects === 0) request.onStart?.();
    const { lookup } = options;
    const post = { url, headers: built.headers, body: request.input, answerCap: outputCap };
    const end = await sendPost(lookup === undefined ? post : { ...post, lookup }, stop);
    const next = redirectOf(end, url);
    if (next === undefined) return read(end, url);
    if (next.origin !== url.origin) {
      return fail(
        'http-address',
        `${url.origin} sends to ${next.origin}, which is not followed: payload and headers are for ${url.origin} only`,
      );
    }
    if (redirects === mostRedirects) {
      return fail(
        'http-status',
        `${url.origin} sent from one url to the next more than ${mostRedirects} times`,
      );
    }
    url = next;
  }
}

function whyForbidden(url: URL, options: HttpRunnerOptions): string | undefined {
  const patterns = options.allowedUrls?.();
  if (patterns === undefined || patterns.some((pattern) => matchesUrlPattern(pattern, url))) return undefined;
  return `nothing was sent: allowedHttpHookUrls of the managed settings does not list ${url.origin}${url.pathname}`;
}

function redirectOf(end: PostEnd, from: URL): URL | undefined {
  if (end.kind !== 'answered' || !keepingRedirects.has(end.status)) return undefined;
  return parseUrl(end.headers.location ?? '', from);
}

function read(end: PostEnd, url: URL): Answer | FailedEnd {
  const from = url.origin;
  switch (end.kind) {
    case 'refused':
      return fail(
        'http-address',
        `${from} leads to ${end.address}, an address of the local link or of a cloud's metadata service, which no hook may talk to`,
      );
    case 'unreachable':
      return fail('http-network', `${from} did not answer: ${end.why}`);
    case 'answered':
      return readAnswered(end, from);
  }
}

function readAnswered(answered: Extract<PostEnd, { kind: 'answered' }>, from: string): Answer | FailedEnd {
  const { status, headers, body, truncated } = answered;
  // What is said beside a failure is kept for whoever looks into it, but it is no answer.
  const failed = (end: FailedEnd): Answer => ({
    kind: 'answer',
    end,
    stdout: '',
    stderr: body,
    truncated: false,
  });
  if (status >= 300 && status < 400) {
    return failed(
      fail(
        'http-status',
        `${from} answered ${status}, a redirect that would lose the payload; write the url it leads to`,
      ),
    );
  }
  if (status < 200 || status > 299) return failed(fail('http-status', `${from} answered ${status}`));
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    return fail('output', `${from} answered in the encoding ${encoding}, although none was asked for`);
  }
  if (/^text\/html\b/i.test(headers['content-type'] ?? '')) {
    return failed(
      fail(
        'output',
        `${from} answered with a web page, which is no answer; is the url right, or does it ask for a login?`,
      ),
    );
  }
  return { kind: 'answer', end: { kind: 'exited', code: 0 }, stdout: body, stderr: '', truncated };
}

function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    const url = new URL(text, base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

function fail(cause: FailedEnd['cause'], message: string): FailedEnd {
  return { kind: 'failed', cause, message };
}
