import { describe, expect, it } from 'vitest';
import { policyCatalogue, policyEventNames } from './catalogue.ts';
import { checkPayload } from './check-payload.ts';

describe('checkPayload', () => {
  it.each(policyEventNames)('takes the example of %s and leaves other fields behind', (event) => {
    const { example } = policyCatalogue[event];
    expect(checkPayload(event, { ...example, unknown: 1 })).toEqual({ ok: true, payload: example });
  });

  it('names every field that is wrong and how', () => {
    expect(checkPayload('SessionStart', { source: 'reboot' })).toEqual({
      ok: false,
      problems: ['source: it is "reboot", where ("startup" | "resume" | "clear") is expected'],
    });
    expect(checkPayload('PreToolUse', { tool_name: 7, tool_input: {} })).toEqual({
      ok: false,
      problems: ['tool_name: it is 7, where string is expected', 'input_revision: it is missing'],
    });
  });
});
