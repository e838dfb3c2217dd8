import type { ApprovalRequest, Question } from '@codey/agent';
import { describe, expect, it } from 'vitest';
import type { Key } from '../screen/keys.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { approvalChoices, approvalKey, type ApprovalStep, newApproval } from './approval-state.ts';
import { decisionKey, newDecision } from './decision-state.ts';
import { callAsText, callFromText } from './edited-call.ts';
import { createKeyboardOwner, heldMs, writingPauseMs } from './keyboard-owner.ts';
import { type AskedQuestion, newQuestions, questionKey, type QuestionStep } from './question-state.ts';

function keyOf(name: string): Key {
  return [...name].length === 1 ? { kind: 'text', text: name } : { kind: 'named', name };
}

const request: ApprovalRequest = {
  agent: { name: 'main', type: 'main' },
  call: { id: 'c', tool: 'run_shell', input: { command: 'ls', cwd: 'src' } },
  message: 'bash: ls',
  reason: 'mode',
  pattern: 'run_shell(ls)',
};

function approve(names: readonly string[], asked = request): ApprovalStep | undefined {
  let step: ApprovalStep | undefined;
  let state = newApproval;
  for (const name of names) {
    step = approvalKey(state, asked, keyOf(name));
    if (step?.kind === 'state') state = step.state;
  }
  return step;
}

describe('an approval', () => {
  const once = { kind: 'answer', answer: { kind: 'once' } };
  const deny = { kind: 'answer', answer: { kind: 'deny' } };
  const { pattern: _none, ...plain } = request;
  it.each([
    ['Enter allows once', ['enter'], once],
    ['y allows once', ['y'], once],
    ['so does Y', ['Y'], once],
    ['its number does what it shows', ['1'], once],
    [
      'a remembers for the session',
      ['a'],
      { kind: 'answer', answer: { kind: 'remember', pattern: 'run_shell(ls)', keep: 'session' } },
    ],
    [
      'p remembers for the project',
      ['p'],
      { kind: 'answer', answer: { kind: 'remember', pattern: 'run_shell(ls)', keep: 'project' } },
    ],
    ['n and Enter deny without a reason', ['n', 'enter'], deny],
    [
      'n and words deny with one',
      ['n', 'n', 'o', 'enter'],
      { kind: 'answer', answer: { kind: 'deny', reason: 'no' } },
    ],
    ['Esc goes back from the reason', ['n', 'x', 'escape', 'y'], once],
    ['the last choice is above the first', ['up', 'enter', 'enter'], deny],
  ])('%s', (_name, names, step) => {
    expect(approve(names)).toEqual(step);
  });

  it('offers no remembering where the gate does not', () => {
    expect(approvalChoices(plain).map(({ id }) => id)).toEqual(['once', 'edit', 'deny']);
    expect(approve(['a'], plain)).toBeUndefined();
  });

  it('has no use for Esc while choosing: that stops the run', () => {
    expect(approve(['escape'])).toBeUndefined();
  });
});

describe('a changed call', () => {
  it('of the shell is its command line, and keeps the rest', () => {
    expect(callAsText(request.call)).toBe('ls');
    expect(callFromText(request.call, 'ls -la')).toEqual({
      ok: true,
      input: { command: 'ls -la', cwd: 'src' },
    });
    expect(callFromText(request.call, ' ')).toMatchObject({ ok: false });
  });

  it('of another tool is its input as JSON', () => {
    const call = { id: 'c', tool: 'write_file', input: { path: 'a', content: 'b' } };
    expect(callFromText(call, callAsText(call))).toEqual({ ok: true, input: call.input });
    expect(callFromText(call, '[]')).toMatchObject({ ok: false });
    expect(callFromText(call, '{')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('not JSON'),
    });
  });
});

const storage: Question = {
  header: 'Storage',
  question: 'Where?',
  options: [{ label: 'SQLite' }, { label: 'Postgres' }],
};
const errors: Question = {
  header: 'Errors',
  question: 'Which?',
  options: [{ label: 'Log' }, { label: 'Throw' }],
  multiple: true,
};

function answer(questions: readonly AskedQuestion[], names: readonly string[]): QuestionStep | undefined {
  let step: QuestionStep | undefined;
  let state = newQuestions(questions);
  for (const name of names) {
    step = questionKey(state, questions, keyOf(name));
    if (step?.kind === 'state') state = step.state;
  }
  return step;
}

describe('questions', () => {
  it.each([
    ['one is answered by its number', [storage], ['2'], ['Postgres']],
    ['by Enter on what is marked', [storage], ['down', 'enter'], ['Postgres']],
    ['in own words', [storage], ['up', 'R', 'e', 'd', 'i', 's', 'enter'], ['Redis']],
    ['several options where several may be', [errors], ['1', '2', 'enter'], ['Log, Throw']],
    ['Enter takes the marked one where none is chosen', [errors], ['down', 'enter'], ['Throw']],
    ['a number taken back is not chosen', [errors], ['1', '1', '2', 'enter'], ['Throw']],
    [
      'several are sent together after a last look',
      [storage, errors],
      ['1', '1', 'enter', 'enter'],
      ['SQLite', 'Log'],
    ],
    ['one can be left open', [storage, errors], ['tab', 'tab', 'enter'], ['', '']],
    [
      'an earlier one can be answered again',
      [storage, errors],
      ['1', 'shift+tab', '2', 'tab', 'enter'],
      ['Postgres', ''],
    ],
    ['from the last look too', [storage, errors], ['1', 'tab', '1', '2', 'tab', 'enter'], ['Postgres', '']],
  ] as const)('%s', (_name, questions, names, answers) => {
    expect(answer(questions, names)).toEqual({ kind: 'answers', answers });
  });

  it.each([
    ['Enter does not leave it', ['1', '2', 'enter'], { current: 0, wrong: [0] }],
    ['Tab leaves it marked', ['1', '2', 'tab'], { current: 1, wrong: [0] }],
    ['nor is it sent', ['1', '2', 'tab', '1', 'enter'], { current: 0, wrong: [0] }],
    ['a field that was passed over is looked at', ['tab', 'tab', 'enter'], { current: 0, wrong: [0] }],
    ['changing it takes the mark away', ['1', '2', 'enter', 'backspace'], { current: 0, wrong: [] }],
  ] as const)('of which an answer is wrong: %s', (_name, names, expected) => {
    const amount = { header: 'Amount', question: 'How many?', options: [] };
    const check = (index: number, given: string) =>
      index === 0 && !/^[1-9]$/.test(given) ? 'must be one digit' : undefined;
    let state = newQuestions([amount, storage]);
    for (const name of names) {
      const step = questionKey(state, [amount, storage], keyOf(name), check);
      if (step?.kind === 'state') state = step.state;
      expect(step?.kind).not.toBe('answers');
    }
    expect({ current: state.current, wrong: [...state.problems.keys()] }).toEqual(expected);
  });

  it('with nothing but options take no own words', () => {
    const closed = { ...storage, optionsOnly: true };
    expect(answer([closed], ['up', 'enter'])).toEqual({ kind: 'answers', answers: ['Postgres'] });
  });

  it('are not answered by Enter on empty own words', () => {
    expect(answer([storage], ['up', 'enter'])).toBeUndefined();
  });
});

it('a decision is made by letter or Enter, and the first choice is marked', () => {
  const decision = {
    title: 't',
    text: '',
    choices: [
      { id: 'no', key: 'n', label: 'No' },
      { id: 'yes', key: 'y', label: 'Yes' },
    ],
  };
  expect(decisionKey(newDecision, decision, keyOf('enter'))).toEqual({ kind: 'chosen', id: 'no' });
  expect(decisionKey(newDecision, decision, keyOf('y'))).toEqual({ kind: 'chosen', id: 'yes' });
  expect(decisionKey(newDecision, decision, keyOf('escape'))).toBeUndefined();
});

describe('the keyboard', () => {
  it('belongs to a prompt at once where nobody is in the middle of a sentence', () => {
    const keyboard = createKeyboardOwner(createManualClock(), () => {});
    keyboard.typed();
    expect(keyboard.ownerFor(1, 'empty')).toBe('prompt');
  });

  it('stays with whoever writes until the writing pauses, then with the prompt', () => {
    const clock = createManualClock();
    let settled = 0;
    const keyboard = createKeyboardOwner(clock, () => {
      settled += 1;
    });
    keyboard.typed();
    expect(keyboard.ownerFor(1, 'begun')).toBe('composer');
    clock.advance(writingPauseMs - 1);
    keyboard.typed();
    clock.advance(writingPauseMs - 1);
    expect(keyboard.ownerFor(1, 'begun')).toBe('composer');
    clock.advance(1);
    expect(settled).toBe(1);
    expect(keyboard.ownerFor(1, 'begun')).toBe('prompt');
    keyboard.typed();
    expect([keyboard.ownerFor(1, 'begun'), keyboard.ownerFor(2, 'begun')]).toEqual(['prompt', 'composer']);
  });

  it('is not read again while the key that answered is held', () => {
    const clock = createManualClock();
    const keyboard = createKeyboardOwner(clock, () => {});
    keyboard.answered('y');
    clock.advance(heldMs);
    expect(keyboard.isHeld('y')).toBe(true);
    clock.advance(heldMs);
    expect(keyboard.isHeld('y')).toBe(true);
    expect(keyboard.isHeld('n')).toBe(false);
    expect(keyboard.isHeld('y')).toBe(false);
    keyboard.answered('y');
    clock.advance(heldMs + 1);
    expect(keyboard.isHeld('y')).toBe(false);
  });
});
