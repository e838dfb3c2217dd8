// Keeps agents from what is for the user to decide.
import { refuseInsideSession } from '@codey/hooks';
import { StartError } from './exit.ts';
import { familyOfThisProcess } from './family.ts';

/** `what` as it is typed. Throws StartError inside a session. */
export function refuseToAgents(what: string): void {
  const refused = refuseInsideSession(familyOfThisProcess(), what);
  if (refused !== undefined) throw new StartError(refused);
}
