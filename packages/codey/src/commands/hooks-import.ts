// `codey hooks import`: another agent's hooks written as hooks of ours, shown first, backed up, nothing overwritten.
import { copyFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  claudeToNative,
  diskFiles,
  ensureIgnored,
  failureReason,
  formatProblem,
  loadClaudeHooks,
} from '@codey/hooks';
import { createTwoFilesPatch } from 'diff';
import type { NamedCommandLine } from '../cli/command-line.ts';
import type { SetupHooks } from '../setup/hooks.ts';
import { putFile } from '../setup/put-file.ts';
import { takeBackIfRefused, type Written } from '../setup/take-back-if-refused.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { reveal } from '../terminal/sanitise.ts';
import { findRoot } from '../start/find-root.ts';
import { exitCodeOf, sourceOf, withChangeHooks } from './change-settings.ts';
import { type PlannedFile, planImport } from './import/plan.ts';
import { scriptText } from './import/script-text.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';

type Import = Extract<NamedCommandLine, { command: 'hooks import' }>;

/** The originals stay where they are and as they are. */
export async function hooksImport({ flags }: Import, world: World): Promise<number> {
  refuseToAgents('codey hooks import');
  const root = await findRoot(flags.cwd, world);
  const loaded = await loadClaudeHooks({
    projectRoot: root,
    ...(world.home !== undefined && { home: world.home }),
  });
  for (const warning of loaded.warnings) world.notices.warn(formatProblem(warning));
  for (const { event, reason, source } of loaded.neverFires)
    world.notices.warn(`${source.file}:${source.line}  not imported: ${event} never fires: ${reason}`);
  const known = { ...world.environment, CLAUDE_PROJECT_DIR: root };
  const hooks = claudeToNative(loaded.hooks, (hook) => scriptText(hook, root, known));
  const planned = await planImport(hooks, { root, home: world.home });
  const changing = planned.filter(({ added }) => added.length > 0);

  const say = (text: string): void => void world.stdout.write(`${reveal(text)}\n`);
  if (hooks.length === 0)
    say('There are no hooks of Claude Code here: neither in ~/.claude nor in .claude of this project.');
  for (const file of planned) say(describe(file));
  if (flags.dryRun || changing.length === 0) {
    if (changing.length > 0) say('Dry run: nothing was written.');
    return exitCodes.done;
  }
  const refusals: string[] = [];
  const kept: PlannedFile[] = [];
  const refused = await withChangeHooks(root, world, async (hooks) => {
    for (const file of changing) {
      if (hooks.forced() !== undefined) break;
      const saved = await save(file, hooks);
      if (saved.kind === 'refused') {
        refusals.push(saved.message);
        continue;
      }
      kept.push(file);
      say(saved.text);
    }
    return exitCodeOf(hooks);
  });
  for (const refusal of refusals) world.notices.fail(refusal);
  if (kept.length === 0) return refused;
  say(
    'Imported hooks read events in the words of codey. To run the originals unchanged instead, set "claudeHooks": true in ~/.codey/settings.json and remove what was imported.',
  );
  if (kept.some(({ added }) => added.some(({ source }) => source.fromRepository)))
    say('Hooks of this project wait for your agreement: codey hooks trust');
  return kept.length === changing.length ? exitCodes.done : refused;
}

/** The difference as a patch, then what a person has to look at. */
function describe({ file, before, after, added, known }: PlannedFile): string {
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : file,
    file,
    before ?? '',
    after,
    '',
    '',
    {
      context: 2,
    },
  );
  const remarks = added.flatMap(({ event, source, remarks: each }) =>
    each.map((remark) => `  ${event} of ${source.file}:${source.line}: ${remark}`),
  );
  return [
    ...(added.length === 0 ? [] : [patch.replace(/^=+\n/, '').trimEnd()]),
    ...(remarks.length === 0 ? [] : ['', 'To look at:', ...remarks]),
    ...known.map(({ event, source }) => `${event} of ${source.file}:${source.line} is there already`),
    '',
  ].join('\n');
}

type Saved =
  | { readonly kind: 'kept'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

async function save(planned: PlannedFile, hooks: Pick<SetupHooks, 'askAboutChange'>): Promise<Saved> {
  const { file, scope, before, added } = planned;
  const backup = `${file}.before-import-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  const refusal = await takeBackIfRefused(await write(planned, backup), sourceOf(scope), hooks);
  if (refusal !== undefined) {
    if (refusal.restored) await rm(backup, { force: true });
    return { kind: 'refused', message: `the import was ${refusal.message}` };
  }
  const count = `${added.length} ${added.length === 1 ? 'hook' : 'hooks'}`;
  const text =
    before === undefined ? `${file}: ${count} written` : `${file}: ${count} added; as it was: ${backup}`;
  return { kind: 'kept', text };
}

/** In one step, behind a copy of what was there. */
async function write({ file, scope, before, after }: PlannedFile, backup: string): Promise<Written> {
  try {
    if (before !== undefined) await copyFile(file, backup);
    const mode = before === undefined ? 0o644 : (await stat(file)).mode & 0o777;
    await putFile(file, after, mode);
    // One person's settings stay out of git.
    if (scope === 'local') await ensureIgnored(dirname(file), diskFiles);
    return { kind: 'written', file, ...(before !== undefined && { before }), after, mode };
  } catch (error) {
    throw new StartError(`${file} was not changed: ${failureReason(error)}`, exitCodes.failed);
  }
}
