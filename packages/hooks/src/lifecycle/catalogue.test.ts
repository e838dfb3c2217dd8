import { expect, it } from 'vitest';
import {
  isLifecycleEventName,
  type LifecycleEventDefinition,
  lifecycleCatalogue,
  lifecycleEventNames,
  lifecycleValues,
} from './catalogue.ts';
import { sampleLifecycleEvent } from './sample.ts';

it('has exactly eleven events [codey.event.eleven-names]', () => {
  expect(lifecycleEventNames).toEqual([
    'session_start',
    'session_end',
    'run_start',
    'run_end',
    'turn_start',
    'tool_start',
    'tool_result',
    'blocked',
    'unblocked',
    'paused',
    'resumed',
  ]);
});

it('gives the JSON its keys and exports eight of them as variables', () => {
  expect(Object.entries(lifecycleValues).map(([key, value]) => [key, value.variable])).toEqual([
    ['event', 'HOOK_EVENT'],
    ['session', 'SESSION'],
    ['agent', 'AGENT'],
    ['turn', 'TURN'],
    ['tool', 'TOOL'],
    ['reason', 'REASON'],
    ['message', 'MESSAGE'],
    ['error', 'ERROR'],
    ['time', null],
  ]);
});

it('closes the reasons of each event', () => {
  const reasons = lifecycleEventNames.map((name) => [name, lifecycleCatalogue[name].reasons.join(' ')]);
  expect(Object.fromEntries(reasons)).toEqual({
    session_start: 'startup resume clear',
    session_end: 'exit closed clear resume signal error crashed',
    run_start: '',
    run_end: 'completed error interrupted',
    turn_start: '',
    tool_start: '',
    tool_result: '',
    blocked: 'approval question',
    unblocked: 'approved denied answered interrupted closed',
    paused: 'user',
    resumed: 'user',
  });
});

it.each(lifecycleEventNames)('%s carries no more than it says, and a reason from its list', (name) => {
  const definition: LifecycleEventDefinition = lifecycleCatalogue[name];
  expect(definition.carries).toEqual(expect.arrayContaining(Object.keys(definition.example)));
  expect(definition.reasons.length > 0).toBe(definition.carries.includes('reason'));
  expect(['', ...definition.reasons]).toContain(definition.example.reason ?? '');
});

it.each(lifecycleEventNames)('the sample of %s has every key and only strings', (name) => {
  const sample = sampleLifecycleEvent(name);
  expect(Object.keys(sample)).toEqual(Object.keys(lifecycleValues));
  expect(Object.values(sample).filter((value) => typeof value !== 'string')).toEqual([]);
  expect(sample.event).toBe(name);
});

it('lets only blocked carry a message', () => {
  const withMessage = lifecycleEventNames.filter((name) =>
    (lifecycleCatalogue[name] as LifecycleEventDefinition).carries.includes('message'),
  );
  expect(withMessage).toEqual(['blocked']);
});

it.each(['Blocked', 'PreToolUse', 'toString', ''])('knows no event %j', (text) => {
  expect(isLifecycleEventName(text)).toBe(false);
});
