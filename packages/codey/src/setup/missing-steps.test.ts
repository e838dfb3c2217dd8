import { expect, it } from 'vitest';
import { missingSteps } from './missing-steps.ts';

it.each([
  ['no model is named', {}, {}, ['model']],
  ['the key is not there', { model: 'anthropic/x' }, {}, ['key']],
  ['the key is empty', { model: 'anthropic/x' }, { ANTHROPIC_API_KEY: '' }, ['key']],
  ['all is there', { model: 'anthropic/x' }, { ANTHROPIC_API_KEY: 'k' }, []],
  ['any of several variables has it', { model: 'google/x' }, { GOOGLE_API_KEY: 'k' }, []],
  ['the server needs none', { model: 'openai-compatible/x' }, {}, []],
  ['the model is a script', { model: 'script:story.yaml' }, {}, []],
  [
    'the named variable is not set',
    { model: 'openai/x', providers: { openai: { apiKeyEnv: 'MINE' } } },
    { OPENAI_API_KEY: 'k' },
    ['key'],
  ],
  [
    'the named variable is set',
    { model: 'openai/x', providers: { openai: { apiKeyEnv: 'MINE' } } },
    { MINE: 'k' },
    [],
  ],
])(
  'what is missing when %s [koder.event.setup-on-missing-steps]',
  (_name, settings, environment, missing) => {
    expect(
      missingSteps({ providers: {}, ...settings }, environment as Readonly<Record<string, string>>),
    ).toEqual(missing);
  },
);
