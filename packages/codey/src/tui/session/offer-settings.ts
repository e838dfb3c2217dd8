// Puts settings that were edited during a session before the user, between two turns; until the yes nothing of them counts.
import type { SettingsChange, TurnBoundary } from '@codey/agent';
import type { LoadedSettings } from '@codey/hooks';
import { changedFiles, describeChanges } from '../../start/describe-changes.ts';
import type { EditedSettings } from '../../start/edited-settings.ts';
import type { TabPorts } from '../ports.ts';
import type { DecisionRequest } from '../prompts/decision-state.ts';
import { insideSession, reviewRequest } from './ask-about-project.ts';

type OfferPorts = Pick<TabPorts, 'decide' | 'tell'>;

export async function offerSettings(
  boundary: Pick<TurnBoundary, 'ask'>,
  settings: EditedSettings,
  ports: OfferPorts,
): Promise<void> {
  const offer = await settings.look();
  const say = (text: string): void => ports.tell({ kind: 'said', tone: 'plain', text });
  if (offer === undefined) return;
  if (offer.kind === 'broken') {
    ports.tell({ kind: 'said', tone: 'warning', text: offer.text });
    return;
  }
  const { loaded, changes } = offer;
  const files = changedFiles(changes);
  // An agent that has a terminal must not say yes for its user.
  const refused = insideSession();
  if (!changes.some(countsAtOnce) || refused !== undefined) {
    settings.decline(loaded);
    say(`${files}: edited. ${refused ?? 'All of it counts from the next session.'}`);
    return;
  }
  await boundary.ask('Changed settings', async (signal) => {
    if ((await ports.decide(offerRequest(changes), signal)) !== 'accept') {
      settings.decline(loaded);
      say(`${files}: what was in force stays in force, until the next session.`);
      return;
    }
    await agreeToNew(loaded, settings, ports, signal);
    await settings.putInForce(loaded);
    say(`${files}: in force.`);
  });
}

/** What a person reads before saying yes; the first choice changes nothing. */
export function offerRequest(changes: readonly SettingsChange[]): DecisionRequest {
  const later = changes.filter((change) => !countsAtOnce(change));
  const text = [
    describeChanges(changes.filter(countsAtOnce)),
    ...(later.length === 0
      ? []
      : [`From the next session on, whatever you choose:\n${describeChanges(later)}`]),
  ].join('\n\n');
  return {
    title: 'Settings were edited while this session runs',
    text,
    choices: [
      { id: 'keep', key: 'n', label: 'Go on with what is in force' },
      { id: 'accept', key: 'y', label: 'Put the change in force now' },
    ],
  };
}

/** A yes to the change is no yes to what a repository wants to run: that is asked as at the start. */
async function agreeToNew(
  loaded: LoadedSettings,
  { inspect, agree }: EditedSettings,
  { decide, tell }: OfferPorts,
  signal: AbortSignal,
): Promise<void> {
  const review = await inspect(loaded);
  if (review === undefined || (await decide(reviewRequest(review), signal)) !== 'agree') return;
  const agreed = await agree(review);
  if (!agreed.ok) tell({ kind: 'said', tone: 'error', text: agreed.problem });
}

function countsAtOnce({ counts }: SettingsChange): boolean {
  return counts === 'at once';
}
