// The hooks in the settings files of that format, and in its plugins, as hooks of this engine.
import { join, resolve } from 'node:path';
import { parseDocument, plainValue, properties } from '../../config/document.ts';
import { errorCode, localDisk, type ReadPort, readTextIfAny } from '../../config/file-system.ts';
import { Findings, inFileOrder, type Origin } from '../../config/findings.ts';
import type { HookDefinition } from '../../config/hook.ts';
import type { Problem } from '../../config/problem.ts';
import { distinctLocations, isFromRepository, type SettingsLocation } from '../../config/scopes.ts';
import { type ClaudeSection, type NeverFires, parseClaudeSection, type WatchedFiles } from './section.ts';

/** Hooks read from files of that format, with what of them cannot run. */
export interface ClaudeHooks {
  /** In the order user, project, local. */
  readonly hooks: readonly HookDefinition[];
  /** What was left out or may surprise; a bad entry never keeps its neighbours from running. */
  readonly warnings: readonly Problem[];
  readonly neverFires: readonly NeverFires[];
  readonly watches: readonly WatchedFiles[];
}

/** Which files of that format are read. */
export interface ClaudeLoadOptions {
  /** Absolute, real. */
  readonly projectRoot: string;
  readonly home?: string;
  /** The user's directory in the place of `.claude` in the home directory. */
  readonly configDir?: string;
  readonly fs?: ReadPort;
}

/** Never rejects: what is wrong with a file is a warning. A file reachable as two scopes counts as the more trusted. */
export async function loadClaudeHooks(options: ClaudeLoadOptions): Promise<ClaudeHooks> {
  const { fs = localDisk } = options;
  const locations = await distinctLocations(settingsOf(options), fs);
  const files = await Promise.all(
    locations.map(({ scope, file }) =>
      loadFile({ scope, file, fromRepository: isFromRepository(scope) }, options, fs),
    ),
  );
  return unite(withoutSwitchedOff(files));
}

/** Where a plugin of that format says what it is, below its root. */
export const claudePluginManifest: string = '.claude-plugin/plugin.json';

/** The hooks of one plugin of that format. */
export interface ClaudePlugin {
  readonly name: string;
  /** Absolute. */
  readonly root: string;
  readonly fromRepository: boolean;
  /** `hooks/hooks.json` in the root if not given. */
  readonly file?: string;
}

/** The hooks of one plugin that was written for that format. */
export async function loadClaudePlugin(
  plugin: ClaudePlugin,
  options: ClaudeLoadOptions,
): Promise<ClaudeHooks> {
  const { name, root, fromRepository } = plugin;
  const file = resolve(root, plugin.file ?? 'hooks/hooks.json');
  const origin: Origin = { scope: 'plugin', file, fromRepository, root, contributor: name };
  return unite([await loadFile(origin, options, options.fs ?? localDisk)]);
}

function settingsOf({ projectRoot, home, configDir }: ClaudeLoadOptions): readonly SettingsLocation[] {
  const own = configDir ?? (home === undefined ? undefined : join(home, '.claude'));
  const project = join(projectRoot, '.claude');
  return [
    ...(own === undefined
      ? []
      : [{ scope: 'user', file: join(own, 'settings.json'), system: false } as const]),
    { scope: 'project', file: join(project, 'settings.json'), system: false },
    { scope: 'local', file: join(project, 'settings.local.json'), system: false },
  ];
}

interface ClaudeFile extends ClaudeSection {
  readonly origin: Origin;
  readonly warnings: readonly Problem[];
  /** It says `disableAllHooks`. */
  readonly off: boolean;
}

const largest = 16 * 1024 * 1024;

async function loadFile(origin: Origin, options: ClaudeLoadOptions, fs: ReadPort): Promise<ClaudeFile> {
  try {
    const facts = await fs.stat(origin.file);
    if (!facts.isFile()) return unreadable(origin, 'this is no regular file, so it is not read');
    if (facts.size > largest) return unreadable(origin, 'this file is larger than 16 MiB, so it is not read');
    const text = await readTextIfAny(origin.file, fs);
    return text === undefined ? nothing(origin) : parseFile(origin, text.replace(/^\ufeff/, ''), options);
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? nothing(origin)
      : unreadable(origin, `this file cannot be read (${code}), so none of its hooks run`);
  }
}

function parseFile(origin: Origin, text: string, options: ClaudeLoadOptions): ClaudeFile {
  const document = parseDocument(text);
  const findings = new Findings(origin, document.place);
  for (const { offset, message, hint } of document.syntax)
    findings.problem('syntax', { offset }, message, hint);
  const { root: top } = document;
  if (top === undefined || !document.readable || top.type !== 'object') {
    const isEmpty = top === undefined && document.syntax.length === 0;
    if (!isEmpty) findings.problem('syntax', top ?? { offset: 0 }, whyNothing(document.readable));
    return { ...nothing(origin), warnings: inFileOrder(findings.problems) };
  }
  const keys = new Map(properties(top).map(({ key, value }) => [key, value]));
  const hooks = keys.get('hooks');
  const off = keys.get('disableAllHooks');
  const section =
    hooks === undefined ? nothing(origin) : parseClaudeSection(hooks, { ...options, ...origin, findings });
  return {
    ...section,
    origin,
    off: off !== undefined && plainValue(off) === true,
    warnings: inFileOrder([...findings.problems, ...findings.warnings]),
  };
}

function whyNothing(isJson: boolean): string {
  const what = isJson ? 'settings must be an object' : 'this file is not JSON';
  return `${what}, so none of its hooks run`;
}

function nothing(origin: Origin): ClaudeFile {
  return { origin, hooks: [], neverFires: [], watches: [], warnings: [], off: false };
}

function unreadable(origin: Origin, message: string): ClaudeFile {
  const { file, scope } = origin;
  return { ...nothing(origin), warnings: [{ file, line: 1, column: 1, scope, message, area: 'syntax' }] };
}

/** `disableAllHooks` of the user's own file reaches all of them; a repository can only switch off its own hooks. */
function withoutSwitchedOff(files: readonly ClaudeFile[]): readonly ClaudeFile[] {
  const all = files.some(({ origin, off }) => off && !origin.fromRepository);
  const repository = files.some(({ origin, off }) => off && origin.fromRepository);
  return files.map((file) => {
    const isOff = all || (repository && file.origin.fromRepository);
    return isOff ? { ...file, hooks: [], watches: [] } : file;
  });
}

function unite(files: readonly ClaudeFile[]): ClaudeHooks {
  return {
    hooks: files.flatMap(({ hooks }) => hooks),
    warnings: files.flatMap(({ warnings }) => warnings),
    neverFires: files.flatMap(({ neverFires }) => neverFires),
    watches: files.flatMap(({ watches }) => watches),
  };
}
