// Object literals that begin with a spread, written so that Node 20 gives what they make one hidden class.
// @ts-check
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/**
 * V8 11 makes a new hidden class at each `{ ...event, more }`: some hundred bytes that stay until the old generation is
 * collected, and six times the work. A literal that begins otherwise has one for all. No later V8 does so: this goes with
 * Node 20.
 * @type {import('rolldown').Plugin}
 */
export const steadySpreads = { name: 'steady-spreads', renderChunk: beginOtherwise };

/** @param {string} code */
export function beginOtherwise(code) {
  /** @type {number[]} */
  const places = [];
  new Visitor({
    ObjectExpression({ start, properties }) {
      if (properties.length > 1 && properties[0]?.type === 'SpreadElement') places.push(start + 1);
    },
  }).visit(parseAst(code, {}, 'chunk.cjs'));
  return insertAt(
    code,
    places.toSorted((one, other) => one - other),
    ' ...null,',
  );
}

/**
 * @param {string} code
 * @param {readonly number[]} places in ascending order
 * @param {string} text
 */
function insertAt(code, places, text) {
  return [0, ...places].map((place, index) => code.slice(place, places[index])).join(text);
}
