import { builtInTools, validateInput } from '@codey/agent';
import { describe, expect, it } from 'vitest';
import { sampleInput } from './sample-input.ts';

describe('sampleInput', () => {
  it.each(builtInTools.map((tool) => [tool.name, tool] as const))('is one that %s takes', (name, tool) => {
    expect(validateInput(tool, sampleInput(name))).toMatchObject({ ok: true });
  });

  it('is empty for a tool nobody knows, whatever its name', () => {
    expect(sampleInput('constructor')).toEqual({});
    expect(sampleInput('mcp__wiki__read')).toEqual({});
  });
});
