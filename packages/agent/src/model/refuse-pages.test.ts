import { expect, it } from 'vitest';
import { refusingPages } from './refuse-pages.ts';

async function outcome(answer: Response): Promise<string> {
  const asking = refusingPages(async () => answer, 'Provider')('https://api.example.com/v1?key=secret');
  return asking.then(
    ({ status }) => `passed ${status}`,
    (error: unknown) => String(error),
  );
}

it.each([
  [new Response('data: x', { headers: { 'content-type': 'text/event-stream' } }), 'passed 200'],
  [new Response('<html>', { headers: { 'content-type': 'text/html' }, status: 404 }), 'passed 404'],
  [
    new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    'ModelError: Provider: https://api.example.com answered with a web page instead of a stream; check the base URL and any proxy on the way',
  ],
  [
    new Response(null, { status: 307, headers: { location: 'https://login.example.com/?from=secret' } }),
    'ModelError: Provider: https://api.example.com answered with a redirect to https://login.example.com (HTTP 307) instead of a stream; check the base URL and any proxy on the way',
  ],
  [
    new Response(null, { status: 308, headers: { location: '/v2?key=secret' } }),
    'ModelError: Provider: https://api.example.com answered with a redirect to another path (HTTP 308) instead of a stream; check the base URL and any proxy on the way',
  ],
  [
    new Response(null, { status: 304 }),
    'ModelError: Provider: https://api.example.com answered with a redirect (HTTP 304) instead of a stream; check the base URL and any proxy on the way',
  ],
])('%o: %s', async (answer, expected) => {
  expect(await outcome(answer)).toBe(expected);
});
