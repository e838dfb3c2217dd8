// What may happen in a session, drawn at random: what the model wants, what hooks say, what a person does, and when.
import fc from 'fast-check';

/** One call of a tool that leaves a file behind with a name of its own, or tries to. */
export type Wish = 'write' | 'touch' | 'background' | 'fail' | 'spawn' | 'question' | 'nonsense' | 'slow';

/** One answer of the model. */
export interface Move {
  readonly wishes: readonly Wish[];
  /** The provider fails instead. */
  readonly fails: boolean;
}

export const guards = [
  'allow',
  'deny',
  'ask',
  'rewrite',
  'rewrite-too',
  'slow',
  'crash',
  'vanish',
  'half',
] as const;
export type Guard = (typeof guards)[number];

export type Answer = 'once' | 'deny' | 'edit' | 'never';

export interface Disturbance {
  /** Milliseconds after the prompt began. */
  readonly at: number;
  readonly what: 'interrupt' | 'pause' | 'new hooks';
}

export interface Prompt {
  readonly moves: readonly Move[];
  readonly disturbances: readonly Disturbance[];
}

export interface SessionPlan {
  readonly guards: readonly Guard[];
  /** In force after `new hooks`. */
  readonly laterGuards: readonly Guard[];
  readonly stop: 'silent' | 'continue' | 'block';
  readonly answers: readonly Answer[];
  readonly prompts: readonly Prompt[];
}

const move: fc.Arbitrary<Move> = fc.record({
  wishes: fc.array(
    fc.constantFrom<Wish>(
      'write',
      'write',
      'touch',
      'touch',
      'background',
      'fail',
      'spawn',
      'question',
      'nonsense',
      'slow',
    ),
    { minLength: 1, maxLength: 3 },
  ),
  fails: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  at: fc.integer({ min: 0, max: 250 }),
  what: fc.constantFrom('interrupt', 'pause', 'new hooks'),
});

export const sessionPlan: fc.Arbitrary<SessionPlan> = fc.record({
  guards: fc.subarray([...guards], { maxLength: 4 }),
  laterGuards: fc.subarray([...guards], { maxLength: 3 }),
  stop: fc.constantFrom('silent', 'silent', 'continue', 'block'),
  answers: fc.array(fc.constantFrom<Answer>('once', 'deny', 'edit', 'never'), { minLength: 1, maxLength: 4 }),
  prompts: fc.array(
    fc.record({
      moves: fc.array(move, { minLength: 1, maxLength: 4 }),
      disturbances: fc.array(disturbance, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
