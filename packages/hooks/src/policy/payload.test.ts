import * as v from 'valibot';
import { expect, it } from 'vitest';
import { policyCatalogue, policyEventNames } from './catalogue.ts';
import { buildPayload, type CommonFields, payloadEntries } from './payload.ts';
import { samplePayload } from './sample.ts';

const common: CommonFields = {
  timestamp: '2026-01-15T09:30:00.000Z',
  usage: { input_tokens: 1, output_tokens: 2, context_share: null },
  agent_type: 'main',
  agent_id: 'main',
  turn: null,
  model: 'script:story.yaml',
  permission_mode: 'plan',
  transcript_path: '/t/log.jsonl',
  project_dir: '/p',
  cwd: '/p/sub',
  session_id: 's1',
};

const commonNames = [
  'event',
  'hook_event_name',
  'protocol',
  'session_id',
  'cwd',
  'project_dir',
  'transcript_path',
  'permission_mode',
  'model',
  'turn',
  'agent_id',
  'agent_type',
  'usage',
  'timestamp',
];

it.each(policyEventNames)(
  'the payload of %s has every common field and names its event twice ' +
    '[contract.event.common-fields] [koder.event.payload-names-event]',
  (name) => {
    const payload = buildPayload(name, policyCatalogue[name].example, common);
    expect(Object.keys(payload)).toEqual(expect.arrayContaining(commonNames));
    expect(payload).toMatchObject({ event: name, hook_event_name: name, protocol: 1, session_id: 's1' });
  },
);

it('puts the keys in one order, whatever order they came in', () => {
  const payload = buildPayload(
    'PermissionDenied',
    { reason: 'no', tool_input: { b: 1, a: 2 }, tool_name: 'run_shell' },
    common,
  );
  expect(Object.keys(payload)).toEqual([...commonNames, 'tool_name', 'tool_input', 'reason']);
  expect(JSON.stringify(payload)).toContain('"tool_input":{"b":1,"a":2}');
});

it('lets an own field stand in for the common one of that name', () => {
  const started = buildPayload('SubagentStart', { agent_id: 'reviewer-2', agent_type: 'reviewer' }, common);
  expect(started).toMatchObject({ agent_id: 'reviewer-2', agent_type: 'reviewer' });
  const moved = buildPayload('CwdChanged', { old_cwd: '/a', cwd: '/b' }, common);
  expect(moved).toMatchObject({ old_cwd: '/a', cwd: '/b', project_dir: '/p' });
});

it('lets no field name another event and takes along none the event does not have', () => {
  const own = { reason: 'exit', event: 'Stop', protocol: 9, prompt: 'secret' } as const;
  const payload = buildPayload('SessionEnd', own, common);
  expect(payload).toMatchObject({ event: 'SessionEnd', protocol: 1 });
  expect(payload).not.toHaveProperty('prompt');
});

it('leaves a field out that the host does not have', () => {
  const payload = buildPayload('PreToolUse', { tool_name: 't', tool_input: {}, input_revision: 0 }, common);
  expect(payload).not.toHaveProperty('tool_call_id');
});

it.each(policyEventNames)('the sample of %s is a whole payload and the same every time', (name) => {
  const sample = samplePayload(name);
  expect(v.safeParse(v.strictObject(payloadEntries(name)), sample).issues).toBeUndefined();
  expect(JSON.stringify(samplePayload(name))).toBe(JSON.stringify(sample));
});

it('a sample has a turn exactly where the event always fires inside a run', () => {
  expect(policyEventNames.filter((name) => samplePayload(name).turn !== null)).toEqual([
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'PermissionDenied',
    'Notification',
    'Stop',
    'StopFailure',
    'SubagentStop',
  ]);
});
