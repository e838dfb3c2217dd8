// What a hook can answer, by event, and the words to say it with.
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { Answer, ElicitationAnswer } from '../policy/decision.ts';
import type { OutputField } from '../policy/define-event.ts';
import type { FieldsOf } from './answer-fields.ts';

/** Blocks, with the reason. */
export interface Deny {
  readonly verdict: { readonly kind: 'deny'; readonly reason: string };
}
/** Lets a call run without asking a person. */
export interface Allow {
  readonly verdict: { readonly kind: 'allow'; readonly reason?: string };
}
/** Lets a person decide. */
export interface Ask {
  readonly verdict: { readonly kind: 'ask'; readonly reason?: string };
}
/** Sends the agent back to work with an instruction. */
export interface KeepWorking {
  readonly verdict: { readonly kind: 'continue'; readonly reason: string };
}

/** Everything a hook of this event may answer; another event's answers are type errors. */
export type AnswerFor<Event extends PolicyEventName> = CommonAnswer &
  Partial<Pick<Deny | VerdictOf<FieldsOf<Event>>, 'verdict'>> &
  ValuesOf<FieldsOf<Event>>;

interface CommonAnswer {
  /** `continue: false`: ends the run; the text is for the user. */
  readonly halt?: { readonly stopReason: string };
  /** Text for the user. */
  readonly systemMessage?: string;
  /** Keeps what the hook printed out of the user's view. */
  readonly suppressOutput?: boolean;
}

type VerdictOf<Field extends OutputField> =
  | (Extract<Field, 'permissionDecision'> extends never ? never : Allow | Ask)
  | (Extract<Field, 'continue'> extends never ? never : KeepWorking);

type ValuesOf<Field extends OutputField> = Pick<Values, Extract<Field, keyof Values>> & ElicitationOf<Field>;

type Values = Pick<
  Answer,
  'updatedInput' | 'additionalContext' | 'updatedToolOutput' | 'watchPaths' | 'worktreePath'
>;

type ElicitationOf<Field extends OutputField> =
  Extract<Field, 'action'> extends never ? unknown : { readonly elicitation?: ElicitationAnswer };

/** Blocks what the event is about; `docs/events.md` says what that means for each. */
export function deny(reason: string): Deny {
  return { verdict: { kind: 'deny', reason } };
}

/** Lets a call run without a prompt, unless a rule says otherwise. */
export function allow(reason?: string): Allow {
  return { verdict: { kind: 'allow', ...(reason !== undefined && { reason }) } };
}

/** Has a person decide about a call, whatever rules and mode say. */
export function ask(reason?: string): Ask {
  return { verdict: { kind: 'ask', ...(reason !== undefined && { reason }) } };
}

/** Sends an agent that has finished back to work, with this as its next instruction. */
export function keepWorking(reason: string): KeepWorking {
  return { verdict: { kind: 'continue', reason } };
}

/** Ends the run; the text is for the user. */
export function halt(stopReason: string): { readonly halt: { readonly stopReason: string } } {
  return { halt: { stopReason } };
}

/** Text for the model. */
export function context(text: string): { readonly additionalContext: string } {
  return { additionalContext: text };
}

/** Another input for the call; the other hooks are asked about it again. */
export function changeInput<Input extends Readonly<Record<string, unknown>>>(
  input: Input,
): { readonly updatedInput: Input } {
  return { updatedInput: input };
}

/** Answers an MCP server's form in the place of the user. */
export function answerForm(answer: ElicitationAnswer): { readonly elicitation: ElicitationAnswer } {
  return { elicitation: answer };
}
