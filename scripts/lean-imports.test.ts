import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { leanImports } from './lean-imports.mjs';

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');

/** What the plain streams do without, and the next version of a client could want. */
const missing = [
  /\.(?:pipeTo|getWriter|terminate|locked|closed|byobRequest)\b/g,
  /\b(?:WritableStream|TextEncoderStream|\w+QueuingStrategy|highWaterMark)\b/g,
  /\bReadableStream\.from\b|\bnew TransformStream\(\)|\bnew TextDecoderStream\([^)]/g,
  /\b(?:type: "bytes"|mode: "byob")/g,
];

it('the clients of models use nothing of streams that the plain ones lack', () => {
  const clients = readdirSync(join(packages, '@ai-sdk'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /[\\/]dist[\\/]index\.mjs$/.test(file))
    .map((file) => join('@ai-sdk', file));
  const files = [...clients, 'eventsource-parser/dist/stream.js'];
  const texts = files.map((file) => readFileSync(join(packages, file), 'utf8'));
  expect(
    texts.filter((text) => /\bnew TransformStream\(|extends TransformStream\b/.test(text)).length,
  ).toBeGreaterThan(7);
  expect(texts.flatMap((text) => missing.flatMap((use) => text.match(use) ?? []))).toEqual([]);
});

it('the strings for formatting that are made on demand are those that the library makes beforehand', async () => {
  const plugin = leanImports.find(({ name }) => name === 'breaks-on-demand');
  const load = plugin?.load as { handler: () => string };
  const original = join(packages, 'jsonc-parser/lib/esm/impl/string-intern.js');
  const [ours, theirs] = await Promise.all(
    [load.handler(), readFileSync(original, 'utf8')].map(
      (text): Promise<object> => import(`data:text/javascript,${encodeURIComponent(text)}`),
    ),
  );
  expect(structuredClone({ ...ours })).toEqual({ ...theirs });
});
