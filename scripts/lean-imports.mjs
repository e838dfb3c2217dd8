// What dependencies of the program would load and no run needs, left out or replaced while bundling.
// @ts-check
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const headers = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'packages/agent/src/model/fetch/headers.ts',
);

/** @type {import('esbuild').Plugin} */
export const leanImports = {
  name: 'lean-imports',
  setup(build) {
    // The messages of zod in fifty languages, of which the clients of models show none.
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    // Its tables take half as long as Node's own start, and only a pattern that is more than words needs them.
    build.onResolve({ filter: /^re2js$/ }, ({ namespace, path, resolveDir }) =>
      namespace === 'on-demand' ? undefined : { path, namespace: 'on-demand', pluginData: resolveDir },
    );
    build.onLoad({ filter: /^re2js$/, namespace: 'on-demand' }, ({ pluginData }) => ({
      contents: "export const RE2JS = new Proxy({}, { get: (_, name) => require('re2js').RE2JS[name] });",
      resolveDir: pluginData,
    }));
    // The clients fold headers with the web's class, and naming that is enough to load all of undici.
    build.onLoad(
      { filter: /[\\/]@ai-sdk[\\/]provider-utils[\\/]dist[\\/]index\.mjs$/ },
      async ({ path }) => ({
        contents: `import { PlainHeaders as Headers } from ${JSON.stringify(headers)};\n${await readFile(path, 'utf8')}`,
      }),
    );
  },
};
