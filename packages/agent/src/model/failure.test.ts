import { describe, expect, it } from 'vitest';
import { type FailureContext, readFailure } from './failure.ts';
import { ModelError } from './model.ts';
import { redact } from './redact.ts';

const context: FailureContext = {
  label: 'Maker',
  overflow: /too long/,
  keyHint: 'the key comes from MAKER_API_KEY',
  secrets: ['super-secret-key'],
  now: () => 0,
};

function api(status: number, body: unknown, headers: Record<string, string> = {}): Error {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Object.assign(new Error('client sentence'), {
    statusCode: status,
    responseBody: text,
    responseHeaders: headers,
  });
}

const coded = (code: string, url?: string) =>
  Object.assign(new Error('outer'), { url, cause: Object.assign(new Error('inner'), { code }) });

describe('a failure', () => {
  it.each<[string, unknown, string, string, 'yes' | 'once' | 'no']>([
    ['a maker’s body', api(500, { error: { message: 'Boom.' } }), 'server', 'Maker: Boom. (HTTP 500)', 'yes'],
    [
      'a body in a list',
      api(500, [{ error: { message: 'Boom.' } }]),
      'server',
      'Maker: Boom. (HTTP 500)',
      'yes',
    ],
    ['a body with a bare string', api(500, { error: 'Boom.' }), 'server', 'Maker: Boom. (HTTP 500)', 'yes'],
    [
      'a body with a detail',
      api(422, { detail: 'Bad field.' }),
      'invalid-request',
      'Maker: Bad field. (HTTP 422)',
      'no',
    ],
    [
      'a web page',
      api(502, '<!DOCTYPE html><p>secret page'),
      'server',
      'Maker: client sentence (HTTP 502)',
      'yes',
    ],
    ['a timeout of the server', api(408, {}), 'server', 'Maker: client sentence (HTTP 408)', 'yes'],
    [
      'a body that is too big',
      api(413, { error: { message: 'Big.' } }),
      'context-overflow',
      'Maker: Big. (HTTP 413)',
      'no',
    ],
    [
      'a full window, by its code',
      api(400, { error: { message: 'No.', code: 'context_length_exceeded' } }),
      'context-overflow',
      'Maker: No. (HTTP 400)',
      'no',
    ],
    [
      'a full window, by its sentence',
      api(400, { error: { message: 'It is too long.' } }),
      'context-overflow',
      'Maker: It is too long. (HTTP 400)',
      'no',
    ],
    [
      'an empty account',
      api(429, { error: { message: 'Check your plan.', code: 'insufficient_quota' } }),
      'rate-limit',
      'Maker: Check your plan. (HTTP 429)',
      'no',
    ],
    [
      'a server that says not to ask again',
      api(500, { error: { message: 'Boom.' } }, { 'x-should-retry': 'false' }),
      'server',
      'Maker: Boom. (HTTP 500)',
      'no',
    ],
    [
      'a key that is wrong in Google’s way',
      api(400, {
        error: {
          code: 400,
          message: 'API key not valid.',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      }),
      'authentication',
      'Maker: API key not valid. (HTTP 400); the key comes from MAKER_API_KEY',
      'no',
    ],
    [
      'an event in a stream',
      { type: 'overloaded_error', message: 'Overloaded' },
      'overloaded',
      'Maker: Overloaded',
      'yes',
    ],
    [
      'a failed response in a stream',
      { data: { type: 'response.failed', response: { error: { code: 'server_error', message: 'Oops.' } } } },
      'server',
      'Maker: Oops.',
      'yes',
    ],
    [
      'nothing at all',
      api(403, ''),
      'authentication',
      'Maker: client sentence (HTTP 403); the key comes from MAKER_API_KEY',
      'no',
    ],
    [
      'a refused connection',
      coded('ECONNREFUSED', 'http://u:p@h:1/v1?key=k'),
      'network',
      'Maker: cannot connect to http://h:1 (ECONNREFUSED)',
      'yes',
    ],
    [
      'an unknown host',
      coded('EAI_AGAIN', 'http://h/'),
      'network',
      'Maker: cannot connect to http://h (EAI_AGAIN)',
      'yes',
    ],
    [
      'a lost connection',
      coded('UND_ERR_SOCKET'),
      'network',
      'Maker: the connection was lost (UND_ERR_SOCKET)',
      'yes',
    ],
    [
      'silence',
      coded('UND_ERR_HEADERS_TIMEOUT'),
      'network',
      'Maker: no answer in time (UND_ERR_HEADERS_TIMEOUT)',
      'yes',
    ],
    [
      'a strange certificate',
      coded('SELF_SIGNED_CERT_IN_CHAIN', 'https://h/'),
      'network',
      'Maker: cannot connect to https://h (SELF_SIGNED_CERT_IN_CHAIN)',
      'no',
    ],
    [
      'an unreadable answer',
      Object.assign(new Error('Text: private words'), { name: 'AI_JSONParseError' }),
      'malformed',
      'Maker: the answer is not in the format of its API; check the base URL and any proxy on the way',
      'once',
    ],
    ['what the client throws otherwise', 'odd', 'server', 'Maker: odd', 'yes'],
  ])('from %s', (_, thrown, kind, message, again) => {
    const failure = readFailure(thrown, context);
    expect({ kind: failure.error.kind, message: failure.error.message, again: failure.again }).toEqual({
      kind,
      message,
      again,
    });
    expect(failure.error.cause).toBeUndefined();
  });

  it('of our own passes as it is', () => {
    const error = new ModelError('network', 'cut');
    expect(readFailure(error, context)).toEqual({ error, again: 'yes' });
  });

  it.each<[string, Record<string, string>, unknown, number | undefined]>([
    ['milliseconds before seconds', { 'retry-after-ms': '20', 'retry-after': '7' }, {}, 20],
    ['seconds', { 'retry-after': '7' }, {}, 7000],
    ['parts of a second', { 'retry-after': '0.5' }, {}, 500],
    ['a date', { 'retry-after': 'Thu, 01 Jan 1970 00:00:03 GMT' }, {}, 3000],
    ['a date that is over', { 'retry-after': 'Wed, 31 Dec 1969 00:00:00 GMT' }, {}, 0],
    ['Google’s delay', {}, { error: { message: 'm', details: [{}, { retryDelay: '34.5s' }] } }, 34_500],
    ['nothing', { 'retry-after': 'soon' }, {}, undefined],
  ])('says how long to wait: %s', (_, headers, body, expected) => {
    expect(readFailure(api(429, body, headers), context).error.retryAfterMs).toBe(expected);
  });

  it('is one line of bounded length without control characters', () => {
    const { error } = readFailure(
      api(500, { error: { message: `a\n\u001b[31m${'b'.repeat(900)}` } }),
      context,
    );
    expect(error.message).toMatch(/^Maker: a \[31mb+… \(HTTP 500\)$/);
    expect(error.message.length).toBeLessThan(540);
  });
});

describe('redacting', () => {
  it.each([
    ['bad key super-secret-key!', 'bad key [hidden]!'],
    ['key sk-ant-api03-abcdefgh_1 refused', 'key [hidden] refused'],
    ['key AIzaSyA1234567890abc', 'key [hidden]'],
    ['Bearer abc.def-ghi', 'Bearer [hidden]'],
    ['http://h/x?key=abc&b=1', 'http://h/x?key=[hidden]&b=1'],
    ['https://me:pw@h/', 'https://[hidden]@h/'],
    ['task-force and risk-free', 'task-force and risk-free'],
  ])('%s', (text, safe) => {
    expect(redact(text, ['super-secret-key', 'ab'])).toBe(safe);
  });
});
