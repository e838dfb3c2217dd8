// The agents beside the main one, live: what each does and what came of it. One or all can be ended from here.
import type { AgentStatus, SessionAgents } from '@codey/agent';
import { sanitise } from '../../terminal/sanitise.ts';
import { isThere, sayAgent } from '../commands/agents.ts';
import { keyName } from '../screen/keys.ts';
import type { Size } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import { cut } from '../screen/text.ts';
import { firstShown, moveSelection } from '../state/selection.ts';
import { fillRows, type Panel } from './panel.ts';

export interface AgentsPanelPorts {
  readonly agents: Pick<SessionAgents, 'list' | 'watch' | 'cancel' | 'cancelAll'>;
  readonly changed: () => void;
}

export function createAgentsPanel({ agents, changed }: AgentsPanelPorts, style: Style): Panel {
  /** By name: the list grows and shrinks under the user's hands. */
  let chosen = agents.list()[0]?.name;
  const unwatch = agents.watch(changed);
  const selected = (list: readonly AgentStatus[]): number =>
    Math.max(
      0,
      list.findIndex(({ name }) => name === chosen),
    );

  return {
    lines(size) {
      const list = agents.list();
      return agentsLines(list, selected(list), size, style);
    },
    key(key) {
      const list = agents.list();
      const name = keyName(key);
      const moved = moveSelection(selected(list), list.length, name);
      if (moved !== undefined) {
        chosen = list[moved]?.name;
        return 'stays';
      }
      const one = list[selected(list)];
      if (name === 'escape' || name === 'ctrl+c' || name === 'q') return 'closed';
      if (name === 'x' && one !== undefined) agents.cancel(one.name);
      else if (name === 'X') agents.cancelAll();
      else return undefined;
      return 'stays';
    },
    closed: unwatch,
  };
}

function agentsLines(
  list: readonly AgentStatus[],
  selected: number,
  { columns, rows }: Size,
  style: Style,
): readonly string[] {
  const room = Math.max(1, rows - 3);
  const first = firstShown(selected, list.length, room);
  const lines = list.slice(first, first + room).map((agent, index) => {
    const line = cut(sanitise(sayAgent(agent), { oneLine: true }), columns - 2);
    if (index + first === selected) return style.inverse(`› ${line}`);
    return isThere(agent) ? `  ${line}` : style.dim(`  ${line}`);
  });
  const working = list.filter(({ state }) => state === 'working').length;
  return fillRows(
    [
      cut(` ${style.bold('Agents')} ${style.dim(`· ${working} at work`)}`, columns),
      ...(lines.length === 0 ? [style.dim(cut('  none yet; /fork <prompt> starts one', columns))] : lines),
      '',
      style.dim(cut(' x ends one · X ends all · Esc closes', columns)),
    ],
    rows,
  );
}
