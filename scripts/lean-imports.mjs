// What dependencies of the program would load and no run needs, left out or replaced while bundling.
// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ownFetch = join(root, 'packages/agent/src/model/fetch');
const smallDigest = join(root, 'packages/codey/src/start/small-digest.ts');

/**
 * @param {string} name the web's
 * @param {string} file
 */
const plain = (name, file) =>
  `import { Plain${name} as ${name} } from ${JSON.stringify(join(ownFetch, file))};\n`;
const plainHeaders = plain('Headers', 'headers.ts');
const plainStreams = [
  plain('ReadableStream', 'streams/readable.ts'),
  plain('TransformStream', 'streams/transform.ts'),
  plain('TextDecoderStream', 'streams/text-decoder.ts'),
].join('');

const ofClients = '?of-clients';

/** @type {readonly import('rolldown').Plugin[]} */
const plugins = [
  // The messages of zod in fifty languages, of which the clients of models show none.
  {
    name: 'one-language',
    load: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ },
      handler: () => "export { default as en } from './en.js';",
    },
  },
  // The clients fold headers with the web's class, and naming that is enough to load all of undici.
  {
    name: 'plain-headers',
    transform: {
      filter: { id: /[\\/]@ai-sdk[\\/]provider-utils[\\/]dist[\\/]index\.mjs$/ },
      handler: (code) => plainHeaders + code,
    },
  },
  // Node's streams are loaded and compiled for what is a pipeline of five steps, with dozens of promises a chunk.
  {
    name: 'plain-streams',
    transform: {
      filter: {
        id: /[\\/]@ai-sdk[\\/][^\\/]+[\\/]dist[\\/]index\.mjs$|[\\/]model[\\/]fetch[\\/]answer\.ts$/,
      },
      handler: (code) => plainStreams + code,
    },
    // A copy for the clients of models: that of MCP servers reads what Node's own `fetch` answers.
    resolveId: {
      filter: { id: /^eventsource-parser\/stream$/ },
      async handler(id, importer, options) {
        if (!/[\\/]@ai-sdk[\\/]/.test(importer ?? '')) return null;
        const resolved = await this.resolve(id, importer, { ...options, skipSelf: true });
        return resolved && { ...resolved, id: `${resolved.id}${ofClients}` };
      },
    },
    load: {
      filter: { id: new RegExp(`\\${ofClients}$`) },
      handler: (id) => plainStreams + readFileSync(id.slice(0, -ofClients.length), 'utf8'),
    },
  },
  // node:crypto takes two milliseconds to load, and most runs need of it the digest of one path.
  {
    name: 'small-digest',
    load: {
      filter: { id: /[\\/]hooks[\\/]src[\\/]journal[\\/]sha256\.ts$/ },
      handler: () => `export { sha256 } from ${JSON.stringify(smallDigest)};`,
    },
  },
  // Twelve hundred strings that one saves in formatting a file.
  {
    name: 'breaks-on-demand',
    load: {
      filter: { id: /[\\/]jsonc-parser[\\/]lib[\\/]esm[\\/]impl[\\/]string-intern\.js$/ },
      handler: () => `
        const upTo = (count, start, indent) => Array.from({ length: count }, (_, n) => start + indent.repeat(n));
        const breaks = (indent) => ({
          get '\\n'() { return upTo(200, '\\n', indent); },
          get '\\r'() { return upTo(200, '\\r', indent); },
          get '\\r\\n'() { return upTo(200, '\\r\\n', indent); },
        });
        export const cachedSpaces = upTo(20, '', ' ');
        export const cachedBreakLinesWithSpaces = { ' ': breaks(' '), '\\t': breaks('\\t') };
        export const supportedEols = ['\\n', '\\r', '\\r\\n'];`,
    },
  },
  // Its tables take half as long as Node's own start, and only a pattern that is more than words needs them.
  {
    name: 'on-demand',
    resolveId: {
      filter: { id: /^re2js$/ },
      handler: (_id, importer) => (importer === onDemand ? null : { id: onDemand }),
    },
    load: {
      filter: { id: new RegExp(`^${'\0'}on-demand$`) },
      handler: () =>
        "export const RE2JS = new Proxy({}, { get: (_, name) => require('re2js').RE2JS[name] });",
    },
  },
];

const onDemand = '\0on-demand';

export const leanImports = [...plugins];
