import { describe, expect, it } from 'vitest';
import { readApproval, readDecision, readPick, readQuestion } from './answers.ts';

const request = {
  agent: { name: 'main', type: 'main' },
  call: { id: 'c', tool: 'run_shell', input: {} },
  message: '',
  reason: '',
  pattern: 'run_shell(ls)',
};
const { pattern: _none, ...plain } = request;

describe('an approval', () => {
  it.each([
    ['y', request, { kind: 'once' }],
    [' YES ', request, { kind: 'once' }],
    ['a', request, { kind: 'remember', pattern: 'run_shell(ls)', keep: 'session' }],
    ['p', request, { kind: 'remember', pattern: 'run_shell(ls)', keep: 'project' }],
    ['a', plain, undefined],
    ['n', request, { kind: 'deny' }],
    ['n not now', request, { kind: 'deny', reason: 'not now' }],
    ['', request, undefined],
    ['maybe', request, undefined],
  ])('%j', (line, asked, answer) => {
    expect(readApproval(line, asked)).toEqual(answer);
  });
});

describe('a question', () => {
  const question = { header: 'h', question: 'q', options: [{ label: 'A' }, { label: 'B' }] };
  it.each([
    ['1', false, 'A'],
    ['1, 2', true, 'A, B'],
    ['1 2', false, undefined],
    ['3', false, undefined],
    ['something else', false, 'something else'],
    ['', false, ''],
  ])('%j, several allowed %s', (line, multiple, answer) => {
    expect(readQuestion(line, { ...question, multiple })).toBe(answer);
  });
});

it('a decision by its letter, a choice by its number', () => {
  const decision = { title: '', text: '', choices: [{ id: 'stay', key: 's', label: '' }] };
  expect([readDecision(' S ', decision), readDecision('x', decision)]).toEqual(['stay', undefined]);
  expect([readPick('2', ['a', 'b']), readPick('3', ['a', 'b']), readPick('', ['a'])]).toEqual([
    'b',
    undefined,
    '',
  ]);
});
