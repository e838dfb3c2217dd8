import { describe, expect, it } from 'vitest';
import { parseRule } from './parse.ts';

describe('a rule is a tool, alone or with a glob [koder.if.tool-glob] [contract.if.rules-alike]', () => {
  it.each([
    ['run_shell', { tools: ['run_shell'] }],
    ['run_shell(git push*)', { tools: ['run_shell'], glob: 'git push*' }],
    ['edit_file|write_file(src/*)', { tools: ['edit_file', 'write_file'], glob: 'src/*' }],
    ['edit_file | write_file', { tools: ['edit_file', 'write_file'] }],
    ['mcp__*', { tools: ['mcp__*'] }],
    ['*(*secret*)', { tools: ['*'], glob: '*secret*' }],
    ['run_shell(echo (a) (b))', { tools: ['run_shell'], glob: 'echo (a) (b)' }],
    ['run_shell( ls )', { tools: ['run_shell'], glob: ' ls ' }],
    ['run_shell(npm run test:*)', { tools: ['run_shell'], glob: 'npm run test:*' }],
    ['  run_shell  ', { tools: ['run_shell'] }],
  ])('%j', (text, expected) => {
    expect(parseRule(text)).toEqual({ ok: true, rule: { text, ...expected } });
  });

  it.each([
    ['', 'a rule needs a tool, such as run_shell or run_shell(git push*)', undefined],
    [
      '(git push)',
      'rule "(git push)" names no tool',
      'write the tool before the bracket, or * for every tool',
    ],
    ['a||b', 'rule "a||b" has an empty name beside a |', undefined],
    [
      'run_shell(git push',
      'rule "run_shell(git push" does not close its bracket',
      'did you mean run_shell(git push)?',
    ],
    ['run_shell)', 'rule "run_shell)" closes a bracket it never opened', undefined],
    [
      'run_shell(a) b',
      'rule "run_shell(a) b" goes on after its closing bracket with " b"',
      'the glob is the last part',
    ],
    ['run_shell()', 'rule "run_shell()" has an empty glob', 'run_shell alone covers every call'],
    [
      'run_shell git push',
      'rule "run_shell git push" has " " in the tool name "run_shell git push"',
      'did you mean run_shell(git push)?',
    ],
    [
      'a{b}',
      'rule "a{b}" has "{" in the tool name "a{b}"',
      'a tool name has letters, digits, _ - . : / @ and *; several are joined with |',
    ],
    [
      'Bash(git push:*)',
      'rule "Bash(git push:*)" spells a prefix as :*, which here stands for a colon with anything behind it',
      'name the tool as this agent does and write the prefix as (git push*)',
    ],
    ['run_shell(a\0)', 'a rule cannot hold a NUL character', undefined],
  ])('%j is refused', (text, message, hint) => {
    expect(parseRule(text)).toEqual({ ok: false, message, ...(hint !== undefined && { hint }) });
  });
});
