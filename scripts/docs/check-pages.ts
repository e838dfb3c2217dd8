// All pages, all checks: findings as `file:line  what is wrong`.
import { checkCommands, commandsOf, type Repository } from './check-commands.ts';
import { checkExcerpts } from './check-excerpts.ts';
import { checkJson } from './check-json.ts';
import { checkLinks, linkTargets } from './check-links.ts';
import { type Page, parsePage } from './page.ts';

export interface Tree {
  /** Every file of the repository, from its root, with `/`. */
  readonly files: readonly string[];
  readonly read: (file: string) => string;
}

export interface CheckedPages {
  readonly findings: readonly string[];
  readonly pages: number;
  /** How many commands were looked at. */
  readonly commands: number;
}

export function checkPages({ files, read }: Tree): CheckedPages {
  const pages = new Map<string, Page>(
    files.filter(isPage).map((file) => [file, parsePage(file, read(file))]),
  );
  const targets = linkTargets(files);
  const examples = files.filter((file) => /^examples\/.*\.[mc]?[jt]s$/.test(file)).map(read);
  const repository: Repository = { targets, scripts: scriptsIn(read('package.json')) };

  const findings = [...pages.values()].flatMap((page) =>
    [
      ...checkLinks(page, { targets, pages }),
      ...checkCommands(page, repository),
      ...checkJson(page),
      ...checkExcerpts(page, examples),
    ]
      .toSorted((left, right) => left.line - right.line)
      .map(({ line, text }) => `${page.file}:${line}  ${text}`),
  );
  const commands = [...pages.values()].flatMap(commandsOf).length;
  return { findings, pages: pages.size, commands };
}

/** What people read; Markdown among the sources is read by models. */
function isPage(file: string): boolean {
  return /^(?:[\w-]+\.md|docs\/.*\.md|examples\/.*\.md|packages\/\w+\/README\.md)$/.test(file);
}

function scriptsIn(manifest: string): ReadonlySet<string> {
  const { scripts = {} }: { scripts?: object } = JSON.parse(manifest);
  return new Set(Object.keys(scripts));
}
