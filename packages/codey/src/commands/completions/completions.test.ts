import { describe, expect, it } from 'vitest';
import { commandNames } from '../../cli/commands.ts';
import { flagNames } from '../../cli/flags.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completionPlaces } from './grammar.ts';
import { zshScript } from './zsh.ts';

const places = completionPlaces();

describe.each([
  ['bash', bashScript(places)],
  ['zsh', zshScript(places)],
  ['fish', fishScript(places)],
])('the script for %s', (_, script) => {
  it('names every command and flag', () => {
    const words = new Set(script.split(/[^\w-]+/).map((word) => word.replace(/^-+/, '')));
    const expected = [...commandNames.flatMap((name) => name.split(' ')), ...flagNames];
    expect(expected.filter((word) => !words.has(word))).toEqual([]);
  });
});
