// `/status`: what this session is and what it runs on.
import { version } from '../../version.ts';
import { sayAgentsAtWork } from '../state/at-work.ts';
import { markOf } from '../state/mark.ts';
import type { Tab } from '../state/tab.ts';
import { markWords } from '../tabs/tab-bar.ts';
import { modeWords } from '../widgets/footer.ts';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const status: Command = {
  name: 'status',
  summary: 'what this session is and what it runs on',
  async run({ session, tab, reply, say }) {
    const now = tab();
    if (session === undefined || now === undefined) return say('plain', 'The session is not open.');
    const { id, name, model, root, cwd, mode } = session.facts();
    const hooks = await session.hooks.list();
    const active = hooks.filter(({ state }) => state === 'active').length;
    reply(
      'Status',
      table([
        ['session', name === undefined ? id : `${name}, ${id}`],
        ['state', stateOf(now)],
        ['model', model],
        ['mode', `${mode}: ${modeWords[mode]}`],
        ['project', root],
        ['directory', cwd],
        ['hooks', `${active} of ${hooks.length} active`],
        ['codey', version],
      ]),
    );
  },
};

function stateOf(tab: Tab): string {
  const agents = sayAgentsAtWork(tab);
  return [ofMain(tab), ...(agents === undefined ? [] : [`${agents} (/agents)`])].join(', ');
}

/** Unread means nothing to whoever is reading, and what works beside the main agent keeps no prompt waiting. */
function ofMain(tab: Tab): string {
  const mark = markOf(tab);
  const isFree = mark === 'working' && tab.run === undefined && tab.phase === 'open';
  return mark === 'unread' || mark === 'idle' || isFree ? 'waiting for a prompt' : markWords[mark];
}
