import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { leanImports } from './lean-imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

it('the strings for formatting that are made on demand are those that the library makes beforehand', async () => {
  const plugin = leanImports.find(({ name }) => name === 'breaks-on-demand');
  const load = plugin?.load as { handler: () => string };
  const original = join(root, 'node_modules/jsonc-parser/lib/esm/impl/string-intern.js');
  const [ours, theirs] = await Promise.all(
    [load.handler(), readFileSync(original, 'utf8')].map(
      (text): Promise<object> => import(`data:text/javascript,${encodeURIComponent(text)}`),
    ),
  );
  expect(structuredClone({ ...ours })).toEqual({ ...theirs });
});
