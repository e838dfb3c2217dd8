// What each key of an agent definition may say, and what it comes to.
import { basename, dirname } from 'node:path';
import { parseContributedHooks, suggest } from '@codey/hooks';
import type { AgentDefinition } from './definition.ts';
import { placeOf, type Report, say, wrong } from './definition-report.ts';
import { isAgentName, reservedNames } from './names.ts';
import { looserThan, modesByStrictness } from './strictness.ts';

export interface FieldOptions {
  /** Tools there are, to notice one that is misspelled; `mcp__…` is taken as it is. */
  readonly knownTools: readonly string[];
  /** Whether a definition of the repository may name a model: the user agreed to what it supplies. */
  readonly mayChooseModel: boolean;
}

export type ParsedDefinition =
  /** `warnings`: what is passed over, each `file:line:column  what  (hint)`. */
  | {
      readonly kind: 'definition';
      readonly definition: AgentDefinition;
      readonly warnings: readonly string[];
    }
  /** A definition with a problem is not used at all: half of it could lack the half that guards. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

export type Fields = Readonly<Record<string, unknown>>;

const knownKeys = ['name', 'description', 'tools', 'model', 'isolation', 'permissionMode', 'hooks'];

/** Every key is looked at, so that a file is put right in one go. */
export function readFields(
  fields: Fields,
  source: { readonly file: string; readonly body: string; readonly fromRepository: boolean },
  report: Report,
  options: FieldOptions,
): ParsedDefinition {
  warnOfUnknownKeys(fields, report);
  const name = readName(fields, report);
  const description = readText(fields, 'description', report);
  const tools = readTools(fields, options.knownTools, report);
  const model = readModel(fields, source.fromRepository && !options.mayChooseModel, report);
  const isolation = readIsolation(fields, report);
  const mode = readMode(fields, source.fromRepository, report);
  const hooks = readHooks(fields, name, source, report);
  if (report.problems.length > 0) return { kind: 'problems', problems: report.problems };
  return {
    kind: 'definition',
    warnings: report.warnings,
    definition: {
      name,
      description: description ?? '',
      role: source.body,
      hooks,
      file: source.file,
      ...(tools !== undefined && { tools }),
      ...(model !== undefined && { model }),
      ...(isolation !== undefined && { isolation }),
      ...(mode !== undefined && { mode }),
    },
  };
}

/** Definitions are shared between agents of several makers: a key of another one is no mistake. */
function warnOfUnknownKeys(fields: Fields, report: Report): void {
  for (const key of Object.keys(fields).filter((each) => !knownKeys.includes(each))) {
    const meant = suggest(key.replaceAll(/[-_]/g, ''), knownKeys);
    const hint = meant === undefined ? `known are ${knownKeys.join(', ')}` : `did you mean ${meant}?`;
    say(report.warnings, report, placeOf(key, report), `"${key}" is not read`, hint);
  }
}

/** The file's own name where it says none. */
function readName(fields: Fields, report: Report): string {
  const name = readText(fields, 'name', report) ?? basename(report.file).replace(/\.md$/i, '');
  const place = placeOf('name', report);
  if (!isAgentName(name))
    say(
      report.problems,
      report,
      place,
      `"${name}" cannot be the name of an agent`,
      'letters, digits, - and _, at most 40, a letter first',
    );
  else if (reservedNames.has(name))
    say(report.problems, report, place, `the name "${name}" is taken by codey itself`, 'choose another');
  return name;
}

function readTools(fields: Fields, known: readonly string[], report: Report): readonly string[] | undefined {
  const written = fields.tools;
  if (written === undefined || written === null) return undefined;
  const list = typeof written === 'string' ? written.split(',').map((name) => name.trim()) : written;
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string' && name !== '')) {
    wrong('tools', 'must be names of tools', 'such as [read_file, grep_search]', report);
    return undefined;
  }
  const names: readonly string[] = list;
  for (const name of names.filter((each) => !known.includes(each) && !each.startsWith('mcp__'))) {
    const meant = suggest(name, known);
    wrong(
      'tools',
      `names "${name}", which is no tool`,
      meant === undefined ? undefined : `did you mean ${meant}?`,
      report,
    );
  }
  return names;
}

function readModel(fields: Fields, unreviewed: boolean, report: Report): string | undefined {
  const model = readText(fields, 'model', report);
  if (model === undefined || model === 'inherit') return undefined;
  if (!unreviewed) return model;
  say(
    report.warnings,
    report,
    placeOf('model', report),
    "a repository's agent does not choose a model; it gets that of whoever starts it",
  );
  return undefined;
}

function readIsolation(fields: Fields, report: Report): 'worktree' | undefined {
  const isolation = readText(fields, 'isolation', report);
  if (isolation === undefined || isolation === 'none') return undefined;
  if (isolation === 'worktree') return isolation;
  wrong('isolation', `is "${isolation}"`, 'it can be worktree or none', report);
  return undefined;
}

function readMode(fields: Fields, fromRepository: boolean, report: Report): AgentDefinition['mode'] {
  const written = readText(fields, 'permissionMode', report);
  if (written === undefined) return undefined;
  const mode = modesByStrictness.find((each) => each === written);
  if (mode === undefined) {
    wrong('permissionMode', `is "${written}"`, `it can be ${modesByStrictness.join(', ')}`, report);
    return undefined;
  }
  if (!fromRepository || !looserThan(mode, 'default')) return mode;
  say(
    report.warnings,
    report,
    placeOf('permissionMode', report),
    `a repository's agent does not run in mode ${mode}; it runs in that of whoever starts it`,
  );
  return undefined;
}

function readHooks(
  fields: Fields,
  name: string,
  { file, fromRepository }: { readonly file: string; readonly fromRepository: boolean },
  report: Report,
): AgentDefinition['hooks'] {
  if (fields.hooks === undefined || fields.hooks === null) return { policy: [], lifecycle: [] };
  const { policy, lifecycle, problems, warnings } = parseContributedHooks({
    text: JSON.stringify({ hooks: fields.hooks }),
    origin: { scope: 'skill', file, fromRepository, root: dirname(file), contributor: name },
    placeOf: report.placeAt,
  });
  for (const found of problems) say(report.problems, report, found, found.message, found.hint);
  for (const found of warnings) say(report.warnings, report, found, found.message, found.hint);
  return { policy, lifecycle };
}

function readText(fields: Fields, key: string, report: Report): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  wrong(key, typeof value === 'string' ? 'is empty' : 'must be text', undefined, report);
  return undefined;
}
