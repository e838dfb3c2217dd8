// What came of one call in the gate.
import type { Attributed } from '@codey/hooks';
import type { ToolCall } from '../model/model.ts';

/** What the model gets for its call. Every call gets exactly one. */
export interface Executed {
  readonly call: ToolCall;
  readonly output: string;
  readonly failed: boolean;
  /** Set when the call never ran because it was not allowed. */
  readonly denied?: string;
  /** Text of hooks for the model, told after the result. */
  readonly contexts: readonly Attributed[];
  /** A hook said `continue: false`: the run ends after this call. */
  readonly halt?: Attributed;
}
