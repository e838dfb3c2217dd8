// What the answer of an event's hooks comes to where nobody stands between an `ask` and what it is about.
import { type Decision, sayReasons } from '@codey/hooks';

/** The reason not to go on; undefined where nothing keeps from it. */
export function refusalOf({ verdict, halt }: Pick<Decision, 'verdict' | 'halt'>): string | undefined {
  if (halt !== undefined) return halt.text;
  switch (verdict.kind) {
    case 'deny':
    case 'ask':
      return sayReasons(verdict.reasons);
    case 'cancelled':
      return 'interrupted before its hooks had answered';
    case 'none':
    case 'allow':
    case 'continue':
      return undefined;
  }
}
