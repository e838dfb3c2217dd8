// What the program's own loader takes: a CommonJS chunk as the function it is run as, in letters of ASCII alone.
// @ts-check

/**
 * The chunk within its function, as Node would put it: joined at every start instead, V8 copies the text once more. V8
 * also keeps a text that has a letter outside Latin-1 in twice the memory.
 * @param {string} code
 * @returns {Buffer}
 */
export function asLoadable(code) {
  if (rawTemplate.test(code)) throw new Error('String.raw would show what stands for a letter outside ASCII');
  if (dynamicImport.test(code))
    throw new Error('a script cannot import(): Node would ask its loader for the module');
  const ascii = code.replace(/\\[\s\S]|[^\0-\x7f]/g, escapeUnit);
  return Buffer.from(`(function (exports, require, module, __filename, __dirname) {${ascii}\n})`, 'latin1');
}

/** The only place of a program where an escape does not mean the letter itself. */
const rawTemplate = /String\.raw`[^`]*[^\0-\x7f]/;

/** Node's way to a module that is an expression; the bundler is told to write `require` in its place. */
const dynamicImport = /\bimport\s*\(/;

/**
 * A unit of UTF-16, or a backslash with what it stands before.
 * @param {string} text
 */
function escapeUnit(text) {
  const unit = text.at(-1) ?? '';
  if (unit <= '\x7f') return text;
  // A line that goes on behind it.
  if (text.length === 2 && /[\u2028\u2029]/.test(unit)) return '';
  // A backslash changes nothing about such a letter; before an escape it would be the letter itself.
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
