// Where a plugin is installed from, as the user wrote it.
import { join, resolve } from 'node:path';

export type PluginSource =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref?: string }
  /** As the package manager is asked for it: a name with or without a version. */
  | { readonly kind: 'npm'; readonly spec: string };

export type ParsedSource =
  | { readonly ok: true; readonly source: PluginSource }
  | { readonly ok: false; readonly message: string };

/** Pure. `./x`, `/x` and `~/x` are paths; what looks like an address is a git repository; the rest is a package. */
export function parseSource(text: string, cwd: string, home: string | undefined): ParsedSource {
  const wanted = text.trim();
  if (/^(?:\.{1,2}|~)?\//.test(wanted) || wanted === '.' || wanted === '..') {
    if (!wanted.startsWith('~')) return { ok: true, source: { kind: 'path', path: resolve(cwd, wanted) } };
    if (home === undefined) return { ok: false, message: 'HOME is not set, so ~ leads nowhere' };
    return { ok: true, source: { kind: 'path', path: join(home, wanted.slice(2)) } };
  }
  const [, url = '', ref] = /^(.*?)(?:#([^#]*))?$/.exec(wanted) ?? [];
  if (/^(?:https?|ssh|git|file):\/\/\S+$/.test(url) || /^[\w.-]+@[\w.-]+:\S+$/.test(url)) {
    if (ref !== undefined && !/^[\w./-]+$/.test(ref.replace(/^-/, ' ')))
      return { ok: false, message: `${JSON.stringify(ref)} cannot be the name of a branch, tag or commit` };
    return { ok: true, source: { kind: 'git', url, ...(ref !== undefined && { ref }) } };
  }
  const spec = wanted.replace(/^npm:/, '');
  if (
    /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:@[\w.^~<>=*+-]+)?$/i.test(spec) &&
    !spec.startsWith('-')
  )
    return { ok: true, source: { kind: 'npm', spec } };
  return {
    ok: false,
    message: `${JSON.stringify(text)} is neither a path (./plugin), a git address (https://…) nor the name of a package`,
  };
}
