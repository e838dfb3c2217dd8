// Turns chunks of ES modules, the only kind esbuild can split into, into the CommonJS ones that the program is loaded as.
// @ts-check
import { transform } from 'esbuild';

/**
 * A chunk as CommonJS, under the names of the sources it was made of.
 * @param {string} code
 * @param {readonly string[]} sources
 * @returns {Promise<string>}
 */
export async function toCommonJs(code, sources) {
  // Emscripten makes itself a `require`, which would hide the loader's from the imports beside it.
  const plain = code.replace(/\bvar require = createRequire\d*\(import\.meta\.url\);/g, '');
  const { code: body } = await transform(plain, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // V8 keeps a text of other letters in twice the memory.
    charset: 'ascii',
    legalComments: 'none',
    // An import of a chunk is a call of the loader's require, then and now.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': chunkUrl },
  });
  const names = sources.map((source) => `// ${source}\n`).join('');
  const url = body.includes(chunkUrl)
    ? `const ${chunkUrl} = require('node:url').pathToFileURL(__filename).href;\n`
    : '';
  return names + url + body;
}

const chunkUrl = '__chunkUrl';
