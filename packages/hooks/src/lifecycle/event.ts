// Makes an event of what an agent says happened: every value a clean, short string.
import type { LifecycleEvent, LifecycleEventName } from './catalogue.ts';

/** What the publisher says. What is left out becomes the empty string. */
export interface LifecycleFacts {
  readonly event: LifecycleEventName;
  readonly session: string;
  readonly agent?: string;
  readonly turn?: number | null;
  readonly tool?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly error?: string;
}

const valueCap = 1_000;
const messageCap = 200;

export function lifecycleEvent(facts: LifecycleFacts, time: Date): LifecycleEvent {
  return {
    event: facts.event,
    session: clean(facts.session, valueCap),
    agent: clean(facts.agent ?? 'main', valueCap),
    turn: facts.turn === undefined || facts.turn === null ? '' : String(facts.turn),
    tool: clean(facts.tool ?? '', valueCap),
    reason: clean(facts.reason ?? '', valueCap),
    message: clean(firstLine(facts.message ?? ''), messageCap),
    error: clean(facts.error ?? '', valueCap),
    time: time.toISOString(),
  };
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r\n|[\n\r\u2028\u2029]/, 1)[0] ?? '';
}

/** No control characters: values end up in shells, terminals and logs. Cut between characters, with an ellipsis. */
function clean(text: string, cap: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
  const printable = text
    .replace(control, ' ')
    .trim()
    .replace(/[\ud800-\udfff]/gu, '\ufffd');
  const characters = [...printable];
  return characters.length <= cap ? printable : `${characters.slice(0, cap - 1).join('')}…`;
}
