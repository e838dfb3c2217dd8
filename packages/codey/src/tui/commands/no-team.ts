// What commands say that need a team and find none: how one is made here.
import type { MainTeams } from '@codey/agent';
import type { CommandContext } from './command.ts';
import type { Listed } from './live-list.ts';

/** Where no team is open there is nothing to list, and that is no failure. */
export function sayNoList(reason: string, teams: Pick<MainTeams, 'open'>): Listed {
  return teams.open().length > 0
    ? { kind: 'refused', reason }
    : { kind: 'nothing', text: asSentence(namingCreate(reason, teams)) };
}

/** Says errors so. */
export function sayingCreate(
  say: CommandContext['say'],
  teams: Pick<MainTeams, 'open'>,
): CommandContext['say'] {
  return (tone, text) => say(tone, tone === 'error' ? namingCreate(text, teams) : text);
}

/** The refusal as it is where a team is open, else with the command that opens one. */
function namingCreate(reason: string, teams: Pick<MainTeams, 'open'>): string {
  return teams.open().length > 0 ? reason : `${reason.replace(/\.$/, '')} (/peers create <name>)`;
}

function asSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
