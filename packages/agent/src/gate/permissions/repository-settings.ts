// Whether the settings of a repository have git run something, or look elsewhere, while it only reads.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

/** `top` is a folder with a `.git`, or one without a repository. Never throws: what cannot be read is no. */
export function namesNoProgram(top: string): boolean {
  try {
    const own = gitFolder(join(top, '.git'));
    if (own === undefined) return true;
    const shared = read(join(own, 'commondir'))?.trim();
    const common = shared === undefined ? own : resolve(own, shared);
    const settings = `${read(join(common, 'config')) ?? ''}\n${read(join(own, 'config.worktree')) ?? ''}`;
    return !hasHook(settings, top, common) && !suspicious.some((setting) => setting.test(settings));
  } catch {
    return false;
  }
}

/** A worktree's `.git` is a file that says where the folder is. */
function gitFolder(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return stats && path;
  const said = /^gitdir: (.*)/.exec(read(path) ?? '')?.[1]?.trim();
  return said === undefined ? undefined : resolve(path, '..', said);
}

/** A setting stands at the beginning of a line or behind the name of its section. */
const suspicious = [
  // Git's own monitor is a yes; anything else is the name of a program.
  /(?:^|\])[ \t]*fsmonitor[ \t]*=(?![ \t]*(?:true|false|yes|no|on|off|0|1)?[ \t]*(?:[#;].*)?$)/im,
  // Filters, what shows differences, what checks signatures.
  /(?:^|\])[ \t]*(?:clean|smudge|process|textconv|external|command|program)[ \t]*=/im,
  // Other files of settings, another tree.
  /^[ \t]*\[[ \t]*include/im,
  /(?:^|\])[ \t]*worktree[ \t]*=/im,
];

/** The one hook that reading runs: git brings its index up to date. */
function hasHook(settings: string, top: string, common: string): boolean {
  const named = [...settings.matchAll(/(?:^|\])[ \t]*hookspath[ \t]*=[ \t]*(.*)$/gim)].map(
    ([, path = '']) => path,
  );
  const folders = named.map((path) => path.trim().replace(/^"(.*)"$/, '$1'));
  // A path git would have to work out is not worked out here.
  if (folders.some((path) => /^[~%]|["\\]/.test(path))) return true;
  return [join(common, 'hooks'), ...folders.map((path) => (isAbsolute(path) ? path : join(top, path)))].some(
    (folder) => existsSync(join(folder, 'post-index-change')),
  );
}

/** Bytes; settings are short. */
const most = 1024 * 1024;

/** Undefined where there is no such file. Throws for anything else that keeps it from being read. */
function read(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > most) throw new Error(`${path} is no file of settings`);
  return readFileSync(path, 'utf8');
}
