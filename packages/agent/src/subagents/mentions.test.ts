import { expect, it } from 'vitest';
import { mentionedAgents } from './mentions.ts';

const known = new Map([
  ['reviewer', 1],
  ['code-tester', 1],
]);

it.each<[string, readonly string[]]>([
  ['@reviewer look at this', ['reviewer']],
  ['let @code-tester and @reviewer, then @reviewer again', ['code-tester', 'reviewer']],
  ['(@reviewer)', ['reviewer']],
  ['ask @reviewer.', ['reviewer']],
  ['nobody@reviewer', []],
  ['mail me@reviewer.com or @reviewer.com', []],
  ['@reviewers are plural', []],
  ['see src/@reviewer or @reviewer/core', []],
  ['@nobody here', []],
  ['no mention', []],
])('finds in %j the agents %j', (prompt, agents) => {
  expect(mentionedAgents(prompt, known)).toEqual(agents);
});
