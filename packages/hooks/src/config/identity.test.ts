import { expect, it } from 'vitest';
import type { Handler } from './hook.ts';
import { hookId, identityOf, lifecycleIdentity } from './identity.ts';

const command: Handler = { type: 'command', command: 'npm test' };
const http: Handler = {
  type: 'http',
  url: 'https://a.example/',
  headers: { A: '1', B: '2' },
  allowedEnvVars: [],
};

function identity(handler: Handler, async = false, root?: string): string {
  return identityOf({ handler, async, ...(root === undefined ? {} : { root }) });
}

it('hooks that run the same are the same [contract.identity.what-runs]', () => {
  expect(identity(command)).toBe(identity({ ...command }));
  expect(identity(command)).toMatch(/^[0-9a-f]{64}$/);
  expect(identity({ ...http, headers: { B: '2', A: '1' } })).toBe(identity(http));
  expect(identity({ ...http, allowedEnvVars: ['TOKEN'] })).toBe(identity(http));
});

it.each<[string, string, string]>([
  ['one blank more', identity(command), identity({ type: 'command', command: 'npm  test' })],
  ['a blank at the end', identity(command), identity({ type: 'command', command: 'npm test ' })],
  ['the type', identity(command), identity({ type: 'worker', command: 'npm test' })],
  ['a shell', identity(command), identity({ ...command, shell: 'bash' })],
  ['arguments', identity(command), identity({ ...command, args: [] })],
  [
    'where an argument ends',
    identity({ ...command, args: ['a b'] }),
    identity({ ...command, args: ['a', 'b'] }),
  ],
  ['async', identity(command), identity(command, true)],
  ['the contributor', identity(command, false, '/plugins/a'), identity(command, false, '/plugins/b')],
  ['the url', identity(http), identity({ ...http, url: 'https://a.example' })],
  ['a header', identity(http), identity({ ...http, headers: { A: '1', B: '3' } })],
  ['who is asked', identity({ type: 'prompt', prompt: 'x' }), identity({ type: 'agent', prompt: 'x' })],
  [
    'the model',
    identity({ type: 'prompt', prompt: 'x' }),
    identity({ type: 'prompt', prompt: 'x', model: 'a/b' }),
  ],
  ['being a lifecycle command', identity({ type: 'command', command: 'x' }), lifecycleIdentity('x')],
])('hooks that differ in %s are two hooks [contract.identity.what-runs]', (_what, one, other) => {
  expect(one).not.toBe(other);
});

it('an id is the event and the first eight digits', () => {
  expect(hookId('PreToolUse', '0123456789abcdef')).toBe('PreToolUse:01234567');
});

it('the id of a hook stays what it is, since settings name it', () => {
  expect(hookId('PreToolUse', identity(command))).toBe('PreToolUse:2845f67a');
  expect(hookId('run_end', lifecycleIdentity('notify-send done'))).toBe('run_end:930556bd');
});
