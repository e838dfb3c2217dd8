import { expect, it } from 'vitest';
import { didYouMean, sameLetters, suggest } from './suggest.ts';

const events = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'run_start', 'run_end'];

it.each([
  ['pretooluse', 'PreToolUse'],
  ['pre-tool-use', 'PreToolUse'],
  ['PRE_TOOL_USE', 'PreToolUse'],
  ['RunEnd', 'run_end'],
  ['PotsToolUse', 'PostToolUse'],
  ['PostToolUseFail', 'PostToolUseFailure'],
  ['Stpo', 'Stop'],
  ['stopp', 'Stop'],
  ['runstart', 'run_start'],
  ['Shop', 'Stop'],
  ['Sotp', 'Stop'],
  ['PreTool', 'PreToolUse'],
])('%s was probably meant as %s', (word, meant) => {
  expect(suggest(word, events)).toBe(meant);
  expect(didYouMean(word, events)).toBe(`did you mean "${meant}"?`);
});

it.each(['', 'go', 'BeforeCoffee', 'x'.repeat(10_000)])('%s resembles nothing', (word) => {
  expect(suggest(word, events)).toBeUndefined();
  expect(didYouMean(word, events)).toBeUndefined();
});

it('of several equally near candidates the first one is suggested', () => {
  expect(suggest('bat', ['cat', 'hat'])).toBe('cat');
});

it('case and separators do not make other letters', () => {
  expect(sameLetters('Run End', 'run_end')).toBe(true);
  expect(sameLetters('run_ended', 'run_end')).toBe(false);
});
