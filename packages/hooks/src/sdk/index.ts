// The public surface of @codey/hooks/sdk: hooks as typed functions.
export type { PolicyEventName } from '../policy/catalogue.ts';
export type { WirePayload } from '../policy/payload.ts';
export {
  type Allow,
  allow,
  answerForm,
  type AnswerFor,
  type Ask,
  ask,
  changeInput,
  context,
  type Deny,
  deny,
  halt,
  type KeepWorking,
  keepWorking,
} from './answers.ts';
export { defineHook, type Hook, type HookHandler } from './define-hook.ts';
export { runHooks } from './run-hooks.ts';
export { type HookStreams, serveHooks } from './serve-hooks.ts';
