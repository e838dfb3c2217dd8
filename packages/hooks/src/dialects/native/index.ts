// The dialect of both specifications: payloads as the catalogue says, answers as spec 2 says.
import type { Dialect } from '../dialect.ts';
import { decodeNative } from './decode.ts';

export const native: Dialect = {
  name: 'native',
  encode: (_event, payload) => payload,
  decode: decodeNative,
  answersOnEveryExit: false,
  exitTwo: () => 'deny',
  matchValue: () => null,
  decodeInput: (given) => given,
  environment: () => ({}),
  transcript: 'session-log',
};
