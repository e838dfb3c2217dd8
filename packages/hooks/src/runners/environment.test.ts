import { describe, expect, it } from 'vitest';
import { defaultWithheld, hookEnvironment, sessionMarkers } from './environment.ts';

const options = { base: {}, projectDir: '/work', depth: 1, runId: 'r1' };

describe('the environment of a hook', () => {
  it('is the program’s own and what is promised, under both prefixes [koder.env.inherits] [koder.env.both-prefixes]', () => {
    const environment = hookEnvironment({
      ...options,
      base: { PATH: '/bin', EMPTY: '', UNSET: undefined },
      sessionId: 's1',
      envFile: '/tmp/env',
      skillDir: '/skills/review',
      herdrPane: 'w1:p1',
      extra: { CODEY_HOOK_EVENT: 'run_end' },
    });
    expect(environment).toEqual({
      PATH: '/bin',
      EMPTY: '',
      CODEY_HOOK_EVENT: 'run_end',
      CODEY_PROJECT_DIR: '/work',
      KODER_PROJECT_DIR: '/work',
      CODEY_SESSION_ID: 's1',
      KODER_SESSION_ID: 's1',
      CODEY_ENV_FILE: '/tmp/env',
      KODER_ENV_FILE: '/tmp/env',
      CODEY_SKILL_DIR: '/skills/review',
      KODER_SKILL_DIR: '/skills/review',
      CODEY_SESSION_MARKER: 's1',
      CODEY_SESSION_PANE: 'w1:p1',
      CODEY_HOOK_DEPTH: '1',
      CODEY_HOOK_RUN: 'r1',
    });
  });

  it('holds nothing that another hook or event said [koder.env.env-file-not-for-tools]', () => {
    const base = {
      CODEY_ENV_FILE: 'old',
      KODER_ENV_FILE: 'old',
      KODER_SKILL_DIR: 'old',
      CODEY_SESSION_ID: 'old',
      CODEY_HOOK_EVENT: 'old',
      CODEY_MESSAGE: 'old',
      CODEY_HOOK_DEPTH: '7',
      CODEY_OWN_SETTING: 'kept',
    };
    expect(hookEnvironment({ ...options, base })).toEqual({
      CODEY_OWN_SETTING: 'kept',
      CODEY_PROJECT_DIR: '/work',
      KODER_PROJECT_DIR: '/work',
      CODEY_HOOK_DEPTH: '1',
      CODEY_HOOK_RUN: 'r1',
    });
  });

  it('lacks what is withheld, by default the keys of model providers [koder.env.inherits]', () => {
    const base = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', MINE: 'm', HOME: '/h' };
    const names = (withhold: readonly string[]) =>
      Object.keys(hookEnvironment({ ...options, base, withhold }));
    expect(names(defaultWithheld)).not.toContain('ANTHROPIC_API_KEY');
    expect(names(defaultWithheld)).toEqual(expect.arrayContaining(['MINE', 'HOME']));
    expect(names(['MINE'])).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY']));
    expect(names(['MINE'])).not.toContain('MINE');
  });

  it('cannot be given other values for what is promised', () => {
    const extra = { CODEY_PROJECT_DIR: '/evil', CODEY_HOOK_DEPTH: '0' };
    expect(hookEnvironment({ ...options, extra })).toMatchObject({
      CODEY_PROJECT_DIR: '/work',
      CODEY_HOOK_DEPTH: '1',
    });
  });

  it('adds its run to the run it is inside of', () => {
    const environment = hookEnvironment({ ...options, base: { CODEY_HOOK_RUN: 'outer' } });
    expect(environment.CODEY_HOOK_RUN).toBe('outer r1');
  });
});

it('marks every child of a session, with the pane where there is one', () => {
  expect(sessionMarkers({ sessionId: 's1' })).toEqual({ CODEY_SESSION_MARKER: 's1' });
});
