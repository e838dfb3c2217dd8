import { expect, it } from 'vitest';
import { namesOfUrl } from './url.ts';

it.each([
  'http://127.0.0.1:8/a/../secret/1',
  'http://127.0.0.1:8/./secret/1',
  'HTTP://127.0.0.1:8/secret/1',
  'http://127.1:8/secret/1',
  'http://0x7f000001:8/secret/1',
  'http://127.0.0.1:8\\secret\\1',
  'http://127.0.0.1:8/sec\tret/1',
  ' http://127.0.0.1:8/secret/1\n',
  'http://127.0.0.1:8/%2e%2e/secret/1',
  'http:127.0.0.1:8/secret/1',
])('%j is fetched as http://127.0.0.1:8/secret/1', (written) => {
  expect(namesOfUrl(written).real).toEqual(['http://127.0.0.1:8/secret/1']);
  expect(namesOfUrl(written).forms).toContain(written);
});

it.each([
  'http://127.0.0.1:8/%73ecret/1',
  'http://127.0.0.1:8/a/..%2fsecret/1',
  'http://127.0.0.1:8//secret/1',
  'http://127.0.0.1:8/secret/1#x',
  'http://me:word@127.0.0.1:8/secret/1',
])('%s may get the page of http://127.0.0.1:8/secret/1', (written) => {
  expect(namesOfUrl(written).forms).toContain('http://127.0.0.1:8/secret/1');
});

it('the usual port and a dot behind the host change nothing', () => {
  expect(namesOfUrl('https://Example.com./a').forms).toEqual(
    expect.arrayContaining(['https://example.com/a', 'https://example.com:443/a']),
  );
});

it('a bare host is also named without its slash', () => {
  expect(namesOfUrl('https://example.com').real).toEqual(['https://example.com/', 'https://example.com']);
});

it('a name before the host, or what is no address, allows nothing', () => {
  expect(namesOfUrl('https://example.com@other.com/').real).toEqual([]);
  expect(namesOfUrl('example')).toEqual({ forms: ['example'], real: [] });
});
