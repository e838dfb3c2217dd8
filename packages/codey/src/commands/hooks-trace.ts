// `codey hooks trace`: a session as a waterfall of turns, calls and hooks; in the terminal, as a page, or for a viewer.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openSessionStore } from '@codey/agent';
import { type JournalLine, type JournalSource, readJournal } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { findRoot } from '../start/find-root.ts';
import { buildTrace } from './trace/build-trace.ts';
import type { Trace } from './trace/span.ts';
import { renderWaterfall } from './trace/waterfall.ts';
import { writeJson } from './write-json.ts';

type TraceFlags = Extract<NamedCommandLine, { command: 'hooks trace' }>['flags'];

export async function hooksTrace(
  { flags }: Extract<NamedCommandLine, { command: 'hooks trace' }>,
  world: World,
): Promise<number> {
  const root = await findRoot(flags.cwd, world);
  const source: JournalSource = { projectRoot: root, ...(world.home !== undefined && { home: world.home }) };
  const session = await findSession(source, flags.session);
  const lines: JournalLine[] = [];
  for await (const line of readJournal(source, { session })) lines.push(line);
  const now = (await isLive(root, session, world)) ? Date.now() : undefined;
  const trace = buildTrace(lines, root, now);
  if (trace === undefined) throw new StartError(`the journal holds no session ${session}`, exitCodes.failed);
  await put(trace, flags, world);
  return exitCodes.done;
}

/** Its whole id, from a beginning that only one has; the one that was written about last where none is given. */
async function findSession(source: JournalSource, wanted: string | undefined): Promise<string> {
  const sessions = new Set<string>();
  let latest: string | undefined;
  for await (const { session } of readJournal(source)) {
    sessions.add(session);
    latest = session;
  }
  if (latest === undefined)
    throw new StartError(
      `the journal of ${source.projectRoot} is empty: no session ran here yet`,
      exitCodes.failed,
    );
  if (wanted === undefined || sessions.has(wanted)) return wanted ?? latest;
  const [only, ...more] = [...sessions].filter((id) => id.startsWith(wanted));
  if (only !== undefined && more.length === 0) return only;
  throw new StartError(
    only === undefined
      ? `the journal of ${source.projectRoot} holds no session ${wanted}; "codey sessions" lists them`
      : `${more.length + 1} sessions begin with ${wanted}; write more of the id`,
    exitCodes.failed,
  );
}

/** A process has it open. */
async function isLive(projectRoot: string, session: string, world: World): Promise<boolean> {
  const { list } = openSessionStore({
    projectRoot,
    pid: world.pid,
    now: Date.now,
    onNotice: world.notices.warn,
    ...(world.home !== undefined && { home: world.home }),
  });
  return (await list()).some(({ id, live }) => id === session && live);
}

async function put(trace: Trace, { html, perfetto, json }: TraceFlags, world: World): Promise<void> {
  if (html !== undefined) {
    const { tracePage } = await import('./trace/page.ts');
    return save(html, tracePage(trace), world);
  }
  if (perfetto !== undefined) {
    const { perfettoTrace } = await import('./trace/perfetto.ts');
    return save(perfetto, JSON.stringify(perfettoTrace(trace)), world);
  }
  if (json) writeJson(trace, world);
  else world.stdout.write(`${sanitise(renderWaterfall(trace, columnsOf(world)))}\n`);
}

async function save(name: string, text: string, world: World): Promise<void> {
  const file = resolve(world.cwd, name);
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new StartError(`${file} cannot be written: ${code}`, exitCodes.failed);
  }
  world.stdout.write(`${sanitise(file)}\n`);
}

/** Of the terminal; where there is none, as wide as most people's. */
function columnsOf({ stdout }: World): number {
  const { columns } = stdout as { readonly columns?: number };
  return columns !== undefined && columns > 0 ? columns : 100;
}
