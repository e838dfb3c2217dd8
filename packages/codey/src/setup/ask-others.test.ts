import { settingsKeys } from '@codey/hooks';
import { expect, it } from 'vitest';
import { askOthers, otherSettings } from './ask-others.ts';
import type { Ask, Key, Prompt } from './prompts/prompt.ts';

/** Answers as somebody at the keyboard would: text is typed, then Enter; lines drawn are kept. */
function typing(answers: Readonly<Record<string, readonly Key[]>>): {
  readonly ask: Ask;
  readonly drawn: string[];
} {
  const drawn: string[] = [];
  const ask: Ask = async <State, Answer>(prompt: Prompt<State, Answer>) => {
    let state = prompt.first;
    const question = prompt.draw(state, 200)[0]?.trim() ?? '';
    drawn.push(...prompt.draw(state, 200));
    for (const key of answers[question] ?? []) {
      const pressed = prompt.press(state, key);
      if (pressed.kind === 'answer') return pressed.answer;
      if (pressed.kind === 'state') state = pressed.state;
    }
    const pressed = prompt.press(state, { kind: 'enter' });
    if (pressed.kind === 'answer') return pressed.answer;
    const refused = pressed.kind === 'state' ? pressed.state : state;
    throw new Error(`not taken: ${prompt.draw(refused, 200).at(-1)}`);
  };
  return { ask, drawn };
}

const yes = { 'Walk through all other settings?': [{ kind: 'up' }] } as const;
const type = (text: string): readonly Key[] => [{ kind: 'clear' }, { kind: 'text', text }];

it('reaches every setting there is but hooks [codey.wizard.only-hooks-left-out]', () => {
  const reached = new Set(otherSettings().map(({ path: [key] }) => key));
  expect([...reached].sort()).toEqual(Object.keys(settingsKeys).sort());
  expect(reached).not.toContain('hooks');
});

it('asks nothing further where the walk is not wanted, and changes nothing where Enter is all that is pressed', async () => {
  expect(await askOthers(() => undefined, [], typing({}).ask)).toEqual([]);
  const walk = typing(yes);
  expect(await askOthers(() => undefined, [], walk.ask)).toEqual([]);
  const full = typing(yes);
  const said: Readonly<Record<string, unknown>> = {
    'permissions.deny': ['run_shell(rm *)'],
    disableAllHooks: false,
    'telemetry.otlpEndpoint': 'http://localhost:4318',
  };
  expect(await askOthers((path) => said[path.join('.')], [], full.ask)).toEqual([]);
  expect(full.drawn).toContain(' ▌ ["run_shell(rm *)"]▏');
});

it('takes what is typed, takes away what is cleared, and puts managed settings into the managed file', async () => {
  const { ask } = typing({
    ...yes,
    'permissions.deny': type('["run_shell(rm *)"]'),
    env: type('{"EDITOR": "vi"}'),
    'telemetry.otlpEndpoint': [{ kind: 'clear' }],
    claudeHooks: [{ kind: 'down' }],
    allowedHttpHookUrls: type('["https://hooks.example.com/*"]'),
  });
  const current = (path: readonly string[]) =>
    path[0] === 'telemetry' ? 'http://localhost:4318' : undefined;
  expect(await askOthers(current, [], ask)).toEqual([
    { path: ['permissions', 'deny'], value: ['run_shell(rm *)'], file: 'user' },
    { path: ['claudeHooks'], value: true, file: 'user' },
    { path: ['env'], value: { EDITOR: 'vi' }, file: 'user' },
    { path: ['telemetry', 'otlpEndpoint'], value: undefined, file: 'user' },
    { path: ['allowedHttpHookUrls'], value: ['https://hooks.example.com/*'], file: 'managed' },
  ]);
});

it.each([
  ['permissions.deny', '["run_shell(rm *"]', /entry 1 of "deny"/],
  ['permissions.deny', 'rm', /This is not JSON/],
  ['providers', '{"mine": {"baseURL": "nowhere"}}', /baseURL/],
  ['disabledHooks', '["Stop"]', /is not the id of a hook/],
])('says of %s = %s what the loader would say', async (question, text, complaint) => {
  await expect(
    askOthers(() => undefined, [], typing({ ...yes, [question]: type(text) }).ask),
  ).rejects.toThrow(complaint);
});
