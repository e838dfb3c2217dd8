#!/usr/bin/env node
// A stand-in for herdr that is as strict as the real one: its command line word for word, and what its server keeps of a pane.
// @ts-check
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ source: string, agent: string, state: string, message?: string }} Authority
 * @typedef {{
 *   authority: Authority | null,
 *   marks: Record<string, number>,
 *   metadataMarks: Record<string, number>,
 *   labels: Record<string, string>,
 *   tokens: Record<string, string>,
 *   history: string[],
 * }} Pane
 * @typedef {{ panes: Record<string, Pane> }} Server
 * @typedef {{ exit: number, stdout?: string, stderr?: string, effect?: string }} Answer
 */

/** @param {readonly string[]} panes @returns {Server} */
export function createServer(panes) {
  return {
    panes: Object.fromEntries(
      panes.map((id) => [
        id,
        { authority: null, marks: {}, metadataMarks: {}, labels: {}, tokens: {}, history: [] },
      ]),
    ),
  };
}

/**
 * One call of the command line. `effect` tells a test what became of it; the caller of the real one cannot know.
 * @param {readonly string[]} given
 * @param {Server} server
 * @returns {Answer}
 */
export function answer(given, server) {
  const argv = withoutGlobals(given);
  if (argv.length < given.length)
    return { exit: 1, stderr: failure('cli:request', 'server_not_running', 'no server there') };
  const [noun, verb, ...rest] = argv;
  switch (`${noun} ${verb}`) {
    case 'pane report-agent':
      return withOptions(rest, reportOptions, ['source', 'agent', 'state'], (id, options) =>
        report(id, options, server),
      );
    case 'pane release-agent':
      return withOptions(rest, releaseOptions, ['source', 'agent'], (id, options) =>
        release(id, options, server),
      );
    case 'pane report-metadata':
      return withOptions(rest, metadataOptions, ['source'], (id, options) => metadata(id, options, server));
    case 'pane get':
      return rest.length === 1 ? getPane(rest[0] ?? '', server) : usage('pane get takes one pane id');
    case 'agent list':
      return rest.length === 0 ? listAgents(server) : usage('agent list takes no arguments');
    default:
      return usage(`unknown command: ${argv.join(' ')}`);
  }
}

const reportOptions = [
  'source',
  'agent',
  'state',
  'message',
  'seq',
  'agent-session-id',
  'agent-session-path',
];
const releaseOptions = ['source', 'agent', 'seq'];
const metadataOptions = [
  'source',
  'agent',
  'applies-to-source',
  'title',
  'display-agent',
  'state-label',
  'token',
  'clear-token',
  'seq',
  'ttl-ms',
];
const switches = ['clear-title', 'clear-display-agent', 'clear-state-labels'];
const states = ['idle', 'working', 'blocked', 'unknown'];

/**
 * The real one takes these out of its arguments wherever they stand, values of other options included.
 * @param {readonly string[]} argv
 */
function withoutGlobals(argv) {
  const kept = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--handoff' || /^--(session|remote)=/.test(word) || word.startsWith('--remote-keybindings'))
      continue;
    if (word === '--session' || word === '--remote') index++;
    else kept.push(word);
  }
  return kept;
}

/**
 * The first argument is the pane whatever it looks like; then options with their values behind a space.
 * @param {readonly string[]} rest
 * @param {readonly string[]} allowed
 * @param {readonly string[]} required
 * @param {(id: string, options: Map<string, string[]>) => Answer} act
 * @returns {Answer}
 */
function withOptions(rest, allowed, required, act) {
  const [id, ...words] = rest;
  if (id === undefined) return usage('missing pane id');
  /** @type {Map<string, string[]>} */
  const options = new Map();
  for (let index = 0; index < words.length; index++) {
    const name = /^--([a-z-]+)$/.exec(words[index] ?? '')?.[1];
    if (name !== undefined && allowed === metadataOptions && switches.includes(name)) options.set(name, []);
    else if (name === undefined || !allowed.includes(name)) return usage(`unknown option: ${words[index]}`);
    else {
      const value = words[++index];
      if (value === undefined) return usage(`missing value for --${name}`);
      options.set(name, [...(options.get(name) ?? []), value]);
    }
  }
  const missing = required.find((name) => (options.get(name)?.at(-1) ?? '').trim() === '');
  if (missing !== undefined) return usage(`missing required option: --${missing}`);
  const sequence = options.get('seq')?.at(-1);
  if (sequence !== undefined && !/^\d{1,20}$/.test(sequence))
    return { exit: 1, stderr: 'Error: ParseIntError { kind: InvalidDigit }' };
  return act(id, options);
}

/** @param {string} id @param {Map<string, string[]>} options @param {Server} server @returns {Answer} */
function report(id, options, server) {
  const state = options.get('state')?.at(-1) ?? '';
  if (!states.includes(state)) return { exit: 1, stderr: `Error: "invalid state: ${state}"` };
  const pane = server.panes[id];
  if (pane === undefined) return notFound(id);
  const source = (options.get('source')?.at(-1) ?? '').trim();
  if (isStale(pane.marks, source, options)) return ignored('stale');
  const message = options.get('message')?.at(-1);
  pane.authority = {
    source,
    agent: (options.get('agent')?.at(-1) ?? '').trim(),
    state,
    ...(message !== undefined && { message }),
  };
  const shown = message === undefined ? state : `${state} (${message})`;
  if (pane.history.at(-1) !== shown) pane.history.push(shown);
  return { exit: 0, effect: shown };
}

/** @param {string} id @param {Map<string, string[]>} options @param {Server} server @returns {Answer} */
function release(id, options, server) {
  const pane = server.panes[id];
  if (pane === undefined) return notFound(id);
  const source = (options.get('source')?.at(-1) ?? '').trim();
  if (pane.authority?.source !== source || pane.authority.agent !== options.get('agent')?.at(-1)?.trim())
    return ignored('not the holder');
  if (isStale(pane.marks, source, options)) return ignored('stale');
  pane.authority = null;
  pane.history.push('released');
  return { exit: 0, effect: 'released' };
}

/** @param {string} id @param {Map<string, string[]>} options @param {Server} server @returns {Answer} */
function metadata(id, options, server) {
  const source = options.get('source')?.at(-1) ?? '';
  if (!/^[A-Za-z0-9:._-]{1,80}$/.test(source))
    return { exit: 1, stderr: failure('cli:request', 'invalid_metadata_source', source) };
  const pane = server.panes[id];
  if (pane === undefined) return notFound(id);
  const tokens = (options.get('token') ?? []).map(splitPair);
  const badName = tokens.find(([name]) => !/^[A-Za-z0-9_-]{1,32}$/.test(name));
  if (badName !== undefined)
    return { exit: 1, stderr: failure('cli:request', 'invalid_metadata_token', badName[0]) };
  if (isStale(pane.metadataMarks, source, options)) return ignored('stale');
  if (options.has('clear-state-labels')) pane.labels = {};
  for (const [name, value] of (options.get('state-label') ?? []).map(splitPair))
    pane.labels[name] = clean(value);
  for (const name of options.get('clear-token') ?? []) delete pane.tokens[name];
  for (const [name, value] of tokens) pane.tokens[name] = clean(value);
  return { exit: 0, effect: 'metadata' };
}

/**
 * One high-water mark a source; whoever has once counted must go on counting.
 * @param {Record<string, number>} marks @param {string} source @param {Map<string, string[]>} options
 */
function isStale(marks, source, options) {
  const given = options.get('seq')?.at(-1);
  const mark = marks[source];
  if (given === undefined) return mark !== undefined;
  if (mark !== undefined && Number(given) <= mark) return true;
  marks[source] = Number(given);
  return false;
}

/** @param {string} pair @returns {[string, string]} */
function splitPair(pair) {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** @param {string} text */
function clean(text) {
  return [...text.trim().replace(/\p{Cc}/gu, '')].slice(0, 80).join('');
}

/** @param {string} id @param {Server} server @returns {Answer} */
function getPane(id, server) {
  const pane = server.panes[id];
  if (pane === undefined) return notFound(id, 'cli:pane:get');
  const result = { type: 'pane_info', pane: describe(id, pane) };
  return { exit: 0, stdout: JSON.stringify({ id: 'cli:pane:get', result }) };
}

/** @param {Server} server @returns {Answer} */
function listAgents(server) {
  const agents = Object.entries(server.panes)
    .filter(([, pane]) => pane.authority !== null)
    .map(([id, pane]) => describe(id, pane));
  return {
    exit: 0,
    stdout: JSON.stringify({ id: 'cli:agent:list', result: { type: 'agent_list', agents } }),
  };
}

/** @param {string} id @param {Pane} pane */
function describe(id, pane) {
  return {
    pane_id: id,
    ...(pane.authority !== null && { agent: pane.authority.agent }),
    agent_status: pane.authority?.state ?? 'unknown',
    tokens: pane.tokens,
    state_labels: pane.authority === null ? {} : pane.labels,
  };
}

/** @param {string} why @returns {Answer} */
function ignored(why) {
  return { exit: 0, effect: `ignored: ${why}` };
}

/** @param {string} message @returns {Answer} */
function usage(message) {
  return { exit: 2, stderr: message };
}

/** @param {string} id @param {string} request @returns {Answer} */
function notFound(id, request = 'cli:request') {
  return { exit: 1, stderr: failure(request, 'pane_not_found', `pane ${id} not found`) };
}

/** @param {string} id @param {string} code @param {string} message */
function failure(id, code, message) {
  return JSON.stringify({ id, error: { code, message } });
}

// As a program: the server's memory and what a test wants of it lie beside the socket that the environment names.
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();

async function main() {
  const folder = dirname(process.env.HERDR_SOCKET_PATH ?? '');
  const argv = process.argv.slice(2);
  const record = (/** @type {string} */ what) =>
    appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify({ what, argv, pid: process.pid })}\n`);
  record('begun');
  const mode = existsSync(join(folder, 'mode')) ? readFileSync(join(folder, 'mode'), 'utf8').trim() : 'fine';
  if (mode === 'stuck') await new Promise((resolve) => setTimeout(resolve, 60_000));
  if (mode === 'slow') await sleep(300);
  if (mode === `holds ${argv[1]}`) while (!existsSync(join(folder, 'go'))) await sleep(5);
  const said =
    mode === 'down'
      ? { exit: 1, stderr: failure('cli:request', 'server_not_running', 'no herdr server is running') }
      : mode === 'updated'
        ? { exit: 1, stderr: failure('cli:request', 'protocol_mismatch', 'client 21, server 20') }
        : await inTurn(folder, (server) => answer(argv, server));
  record(`${said.exit} ${said.effect ?? ''}`.trim());
  if (said.stdout !== undefined) process.stdout.write(`${said.stdout}\n`);
  if (said.stderr !== undefined) process.stderr.write(`${said.stderr}\n`);
  process.exitCode = said.exit;
}

/** @param {string} folder @param {(server: Server) => Answer} act */
async function inTurn(folder, act) {
  const lock = join(folder, 'turn');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      // Whoever has it may have been killed at its deadline.
      if (!isRunning(holderOf(lock))) rmSync(lock, { force: true });
      await sleep(2);
    }
  }
  try {
    const file = join(folder, 'server.json');
    /** @type {Server} */
    const server = JSON.parse(readFileSync(file, 'utf8'));
    const said = act(server);
    writeFileSync(`${file}.new`, JSON.stringify(server));
    renameSync(`${file}.new`, file);
    return said;
  } finally {
    rmSync(lock);
  }
}

/** @param {string} lock */
function holderOf(lock) {
  try {
    // Empty while it is being written.
    return Number(readFileSync(lock, 'utf8') || process.pid);
  } catch {
    return process.pid;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
