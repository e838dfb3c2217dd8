// The dialect of Claude Code: its hooks run here as they are, translated at this door.
import type { Dialect } from '../dialect.ts';
import { decodeFromClaude } from './decode.ts';
import { encodeForClaude } from './encode.ts';
import { claudeEnvironment } from './environment.ts';
import { claudeEvents } from './events.ts';
import { decodeInput } from './tool-input.ts';

export const claude: Dialect = {
  name: 'claude',
  // The engine has just built the payload of this very event.
  encode: (event, payload) => encodeForClaude(event, payload as never),
  decode: decodeFromClaude,
  answersOnEveryExit: true,
  exitTwo(event) {
    const { block } = claudeEvents[event];
    return block === 'nothing' ? 'failure' : block;
  },
  matchValue: (event, payload) => claudeEvents[event].match?.value?.(payload) ?? null,
  decodeInput: (given, { tool, ...before }) => decodeInput(tool, given, before),
  environment: claudeEnvironment,
  transcript: 'own',
};
