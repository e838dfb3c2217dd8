// Links inside the repository lead to a file that is there, and to a heading that it has.
import { posix } from 'node:path';
import type { Page, Placed } from './page.ts';

/** `targets` are all files and folders; `pages` the parsed ones among them. */
export function checkLinks(
  page: Page,
  { targets, pages }: { readonly targets: ReadonlySet<string>; readonly pages: ReadonlyMap<string, Page> },
): readonly Placed[] {
  return page.links.flatMap(({ text, line }) => {
    if (/^[a-z]+:/.test(text)) return URL.canParse(text) ? [] : [{ line, text: `${text} is not an address` }];
    const [path = '', anchor] = text.split('#');
    const target = path === '' ? page.file : posix.join(posix.dirname(page.file), path).replace(/\/$/, '');
    if (!targets.has(target))
      return [{ line, text: `the link ${text} leads to ${target}, which does not exist` }];
    if (anchor === undefined || pages.get(target)?.anchors.has(anchor) === true) return [];
    return [{ line, text: `the link ${text} names a heading that ${target} does not have` }];
  });
}

/** The files and every folder above them. */
export function linkTargets(files: readonly string[]): ReadonlySet<string> {
  const targets = new Set(files);
  for (const file of files) {
    for (let dir = posix.dirname(file); dir !== '.'; dir = posix.dirname(dir)) targets.add(dir);
  }
  return targets;
}
