// A payload of each event as a hook would read it, for docs, schemas and first tests.
import { policyCatalogue, type PolicyEventName } from './catalogue.ts';
import type { PolicyEventDefinition } from './define-event.ts';
import { buildPayload, type CommonFields, type WirePayload } from './payload.ts';

/** The same at every call. */
export function samplePayload<Event extends PolicyEventName>(event: Event): WirePayload<Event> {
  const definition: PolicyEventDefinition = policyCatalogue[event];
  const turn = definition.inRun ? 3 : null;
  return buildPayload(event, policyCatalogue[event].example, { ...sampleCommon, turn });
}

const sampleCommon: Omit<CommonFields, 'turn'> = {
  session_id: '01JD9ZC5T6',
  cwd: '/home/you/shop',
  project_dir: '/home/you/shop',
  transcript_path: '/home/you/.codey/sessions/01JD9ZC5T6/log.jsonl',
  permission_mode: 'default',
  model: 'anthropic/claude-sonnet-4-5',
  agent_id: 'main',
  agent_type: 'main',
  usage: { input_tokens: 18_240, output_tokens: 1_310, context_share: 0.09 },
  timestamp: '2026-01-15T09:30:00.000Z',
};
