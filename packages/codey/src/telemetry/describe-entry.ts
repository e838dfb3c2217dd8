// What a journal entry is as log records: one for what was told or decided, one for each hook that ran or was held back. Pure.
import type { Attributes } from '@opentelemetry/api';
import type { JournalEntry, JournaledHook } from '@codey/hooks';
import { gateAttributes, hookAttributes, isBroken } from './describe-span.ts';

export interface RecordDescription {
  readonly eventName: string;
  readonly severity: 'INFO' | 'WARN' | 'ERROR';
  /** The same for a person, in fixed words. */
  readonly body: string;
  readonly attributes: Attributes;
}

/** The sentences of entries are left out: providers, hooks and people wrote them. */
export function describeEntry(entry: JournalEntry): readonly RecordDescription[] {
  switch (entry.kind) {
    case 'lifecycle':
      return [describeTold(entry)];
    case 'gate': {
      const { agent, tool, call, decision, by } = entry;
      const attributes = {
        'gen_ai.agent.name': agent,
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': call,
        ...gateAttributes(decision, by),
      };
      return [
        { eventName: 'codey.gate', severity: 'INFO', body: `${tool} ${decision} by ${by}`, attributes },
      ];
    }
    case 'dispatch':
      return entry.hooks.filter(isWorthARecord).map((hook) => describeHook(entry, hook));
    // A hook that failed is in the dispatch it failed in.
    case 'hook_error':
    case 'notice':
      return [];
  }
}

function describeTold(entry: Extract<JournalEntry, { kind: 'lifecycle' }>): RecordDescription {
  const { event, agent, turn, tool, reason } = entry;
  const error = event === 'tool_result' ? entry.error : '';
  return {
    eventName: `codey.${event}`,
    severity: reason === 'error' ? 'ERROR' : error === '' ? 'INFO' : 'WARN',
    body: [event, tool, reason, error].filter((word) => word !== '').join(' '),
    attributes: {
      'gen_ai.agent.name': agent,
      'codey.turn': turn === '' ? undefined : Number(turn),
      'gen_ai.tool.name': tool === '' ? undefined : tool,
      'codey.reason': reason === '' ? undefined : reason,
      'error.type': error === '' ? undefined : error,
    },
  };
}

function describeHook(
  { event, agent, tool, call }: Extract<JournalEntry, { kind: 'dispatch' }>,
  hook: JournaledHook,
): RecordDescription {
  const { id, outcome, why } = hook;
  return {
    eventName: 'codey.hook',
    severity: isBroken(hook) || outcome === 'skipped' ? 'WARN' : 'INFO',
    body: `${id} ${outcome}${why === undefined ? '' : ` (${why})`}`,
    attributes: {
      'gen_ai.agent.name': agent,
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': call,
      ...hookAttributes(event, hook),
    },
  };
}

/** That a hook was not meant for a moment is no news; that it was kept from it is. */
const heldBack: ReadonlySet<string> = new Set(['untrusted', 'modified', 'invalid']);

function isWorthARecord({ outcome, why }: JournaledHook): boolean {
  return outcome !== 'skipped' || (why !== undefined && heldBack.has(why));
}
