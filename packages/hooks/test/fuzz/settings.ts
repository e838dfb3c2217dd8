// Settings files that are nearly right.
import fc from 'fast-check';
import { lifecycleEventNames } from '../../src/lifecycle/catalogue.ts';
import { policyEventNames } from '../../src/policy/catalogue.ts';
import { almost, anyText, jsonOf, mangled } from './arbitraries.ts';

const rule = fc.constantFrom('run_shell', 'run_shell(git push*)', 'edit_file|write_file(*.lock)', '*', 'a b');
const name = fc.constantFrom('TOKEN', 'PATH', 'CODEY_SESSION', 'A B', '');
const url = fc.constantFrom('https://example.com/x', 'http://169.254.169.254/', 'file:///x', 'example.com');

const hook = almost({
  type: fc.constantFrom('command', 'command', 'http', 'prompt', 'agent', 'worker', 'function'),
  command: fc.constantFrom('true', ' ', './guard.sh "$x"', 'a\0b'),
  args: fc.array(anyText, { maxLength: 2 }),
  shell: fc.constantFrom('bash', '/bin/zsh', ''),
  url,
  headers: fc.dictionary(fc.constantFrom('X-A', 'Host', 'a b'), fc.constantFrom('${TOKEN}', 'x\ny')),
  allowedEnvVars: fc.array(name, { maxLength: 2 }),
  prompt: fc.constantFrom('Is this fine?', ''),
  model: fc.constantFrom('script:x', 'anthropic/x'),
  if: rule,
  timeout: fc.constantFrom(1, 60, 3600, 3601, 0, -1, 0.001, 60_000),
  once: fc.boolean(),
  async: fc.boolean(),
  onFailure: fc.constantFrom('block', 'pass', 'ask'),
  statusMessage: anyText,
});
/** What matters has to be there now and then. */
const goodHook = fc.constantFrom<unknown>(
  { type: 'command', command: 'true' },
  { type: 'command', command: 'true', timeout: 5, once: true },
  { type: 'http', url: 'https://example.com/x' },
);
const group = almost({
  matcher: fc.constantFrom('edit_file|write_file', '*', '', '(', '(a+)+$', '^run'),
  hooks: fc.array(fc.oneof(hook, goodHook), { maxLength: 3 }),
});
const events = Object.fromEntries(
  policyEventNames.map((event) => [event, fc.array(group, { maxLength: 2 })]),
);
const commands = Object.fromEntries(
  lifecycleEventNames.map((event) => [event, fc.array(fc.constantFrom('true', '', ' '), { maxLength: 2 })]),
);
const section = fc
  .tuple(
    fc.subarray([...policyEventNames, ...lifecycleEventNames], { maxLength: 3 }),
    almost({ ...events, ...commands, pretooluse: fc.constant([]) }),
  )
  .map(([some, all]) =>
    Object.fromEntries(Object.entries(all as object).filter(([key]) => some.includes(key as never))),
  );

const settings = almost({
  hooks: section,
  model: fc.constantFrom('anthropic/x', 'script:x'),
  providers: fc.dictionary(name, almost({ baseURL: url, apiKeyEnv: name })),
  permissions: almost({
    allow: fc.array(rule, { maxLength: 2 }),
    ask: fc.array(rule, { maxLength: 2 }),
    deny: fc.array(rule, { maxLength: 2 }),
    mode: fc.constantFrom('default', 'bypassPermissions', 'Plan'),
  }),
  disableAllHooks: fc.boolean(),
  disabledHooks: fc.array(fc.constantFrom('PreToolUse:01234567', 'x'), { maxLength: 2 }),
  hookEnv: almost({ withhold: fc.array(name, { maxLength: 2 }) }),
  claudeHooks: fc.boolean(),
  mcpServers: fc.dictionary(name, almost({ command: anyText, args: fc.array(anyText), url })),
  plugins: jsonOf(['enabled', 'a'], ['x']),
  env: fc.dictionary(name, anyText),
  theme: anyText,
  herdr: almost({ report: fc.boolean() }),
  telemetry: almost({ otlpEndpoint: url }),
  allowManagedHooksOnly: fc.boolean(),
  allowedHttpHookUrls: fc.array(url, { maxLength: 2 }),
  hookFailure: almost({ project: fc.constantFrom('block', 'pass') }),
  disableAllHook: fc.boolean(),
});

const written = fc
  .tuple(settings, fc.constantFrom(0, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

export const settingsText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: written },
  { weight: 1, arbitrary: mangled(written) },
);
