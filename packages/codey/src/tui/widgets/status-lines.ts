// The rows above the composer: what the tab is doing, what waits behind it, and who waits elsewhere.
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../screen/style.ts';
import { cut, ends } from '../screen/text.ts';
import { runningShell, sayAgentsAtWork } from '../state/at-work.ts';
import type { CallBlock } from '../state/block.ts';
import { slowHook } from '../state/hook-runs.ts';
import { whatIsAsked, whoAsks } from '../state/prompt.ts';
import type { Tab } from '../state/tab.ts';
import { type Tabs, waitingElsewhere } from '../state/tabs.ts';
import { tabName } from '../tabs/tab-bar.ts';
import { summaryOf } from './call-block.ts';
import { saySeconds } from './duration.ts';

/** `now` of the screen's clock. */
export function activityLines(tab: Tab, now: number, width: number, style: Style): readonly string[] {
  const line = activity(tab, now, style);
  return line === undefined ? [] : [ends(line.left, style.dim(line.right), width)];
}

const turning = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'];
const turnMs = 160;

interface Activity {
  readonly left: string;
  readonly right: string;
}

function activity(tab: Tab, now: number, style: Style): Activity | undefined {
  if (tab.phase === 'opening')
    return { left: style.dim(` opening the session…${hookPart(tab, now)}`), right: '' };
  if (tab.phase === 'closing')
    return { left: style.dim(` closing…${hookPart(tab, now)}`), right: 'Ctrl+C skips' };
  if (tab.pausing === 'held') {
    return { left: style.yellow(' ‖ paused: the agent is held between two turns'), right: 'Ctrl+P goes on' };
  }
  const { run } = tab;
  if (run === undefined) {
    if (tab.pausing === 'asked')
      return { left: style.yellow(' ‖ the next run is held before it begins'), right: 'Ctrl+P lets it go' };
    return besideMain(tab, now, style);
  }
  const spin = spinner(now);
  const asked = tab.pausing === 'asked' ? style.yellow(' · pauses after this turn') : '';
  const what = tab.prompts.length > 0 ? 'waiting for you' : workingOn(tab, now);
  return {
    left: ` ${style.cyan(spin)} ${what}${asked}`,
    right: `${run.turn > 1 ? `turn ${run.turn} · ` : ''}${saySeconds(now - run.since)} · Esc stops`,
  };
}

/** Columns of a line of the shell: what stands behind it stays in sight. */
const shownLine = 30;

/** What goes on while the main agent has nothing to do; a line of the shell is what Esc stops then. */
function besideMain(tab: Tab, now: number, style: Style): Activity | undefined {
  const hook = hookPart(tab, now).trimStart();
  const shell = runningShell(tab);
  const agents = sayAgentsAtWork(tab);
  const parts = [
    ...(hook === '' ? [] : [style.dim(hook)]),
    ...(shell === undefined
      ? []
      : [`!${cut(clean(shell.line), shownLine)} ${saySeconds(now - shell.startedAt)}`]),
    ...(agents === undefined ? [] : [`${agents} · /agents`]),
  ];
  if (parts.length === 0) return undefined;
  return {
    left: ` ${style.cyan(spinner(now))} ${parts.join(' · ')}`,
    right: shell === undefined ? '' : 'Esc stops',
  };
}

function spinner(now: number): string {
  return turning[Math.floor(now / turnMs) % turning.length] ?? '';
}

/** A hook that takes long, else the call that runs, else the model. */
function workingOn(tab: Tab, now: number): string {
  const hook = hookPart(tab, now);
  if (hook !== '') return hook.trimStart();
  const call = tab.transcript.blocks.findLast(
    (block): block is CallBlock => block.kind === 'call' && block.end.kind === 'running',
  );
  if (call === undefined) return 'thinking';
  return `${clean(call.tool)} ${saySeconds(now - call.startedAt)}`;
}

function hookPart(tab: Tab, now: number): string {
  const slow = slowHook(tab.hooks.running, now);
  if (slow === undefined) return '';
  const { event, label, status, since } = slow;
  const said = status === undefined ? '' : `: ${status}`;
  return ` ${clean(`${event} hook ${label}${said}`)} · ${saySeconds(now - since)}${heldPart(tab, event)}`;
}

/** Events of the gate: their hooks keep a call from running as long as they take. */
const gateEvents: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'PermissionDenied']);

function heldPart({ transcript }: Tab, event: string): string {
  if (!gateEvents.has(event)) return '';
  const held = transcript.blocks.filter(
    (block): block is CallBlock => block.kind === 'call' && block.end.kind === 'held',
  );
  const [first] = held;
  if (first === undefined) return '';
  const more = held.length === 1 ? '' : ` and ${held.length - 1} more`;
  return ` · holds ${clean(`${first.tool} ${summaryOf(first)}`)}${more}`;
}

const shownQueue = 2;

export function queueLines({ queue }: Tab, width: number, style: Style): readonly string[] {
  const shown = queue.slice(0, shownQueue).map((text) => ` next: ${clean(text)}`);
  const more = queue.length - shown.length;
  return [...shown, ...(more > 0 ? [` and ${more} more`] : [])].map((line) => style.dim(cut(line, width)));
}

/** In every tab: the agents that wait for the user in other ones. */
export function elsewhereLines(tabs: Tabs, width: number, style: Style): readonly string[] {
  const [first, ...others] = waitingElsewhere(tabs);
  const prompt = first?.prompts[0];
  if (first === undefined || prompt === undefined) return [];
  const number = tabs.list.findIndex((tab) => tab.key === first.key) + 1;
  const who = whoAsks(prompt).name === 'main' ? '' : ` ${clean(whoAsks(prompt).name)}`;
  const what = clean(whatIsAsked(prompt));
  const more = others.length === 0 ? '' : ` · ${others.length} more`;
  const left = ` ●! tab ${number} (${tabName(first)})${who} waits for you: ${what}`;
  return [style.bold(style.red(ends(left, `Alt+${number}${more} `, width)))];
}

function clean(text: string): string {
  return sanitise(text, { oneLine: true });
}
