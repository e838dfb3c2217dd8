// An event of each kind as a listener would get it, for docs, schemas and first tests.
import { lifecycleCatalogue, type LifecycleEvent, type LifecycleEventName } from './catalogue.ts';

/** The same at every call. */
export function sampleLifecycleEvent(event: LifecycleEventName): LifecycleEvent {
  return { ...unsaid, event, ...lifecycleCatalogue[event].example };
}

const unsaid: LifecycleEvent = {
  event: 'session_start',
  session: '01JD9ZC5T6',
  agent: 'main',
  turn: '',
  tool: '',
  reason: '',
  message: '',
  error: '',
  time: '2026-01-15T09:30:00.000Z',
};
