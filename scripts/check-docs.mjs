// Every page of the repository against the program it describes: links, anchors, commands, settings, excerpts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';
import { reportFindings, sourceFiles } from './source-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { checkPages } = await loadTypeScript(root, 'scripts/docs/check-pages.ts');
const { findings, pages, commands } = checkPages({
  files: sourceFiles(root),
  read: (file) => readFileSync(join(root, file), 'utf8'),
});
reportFindings(findings, 'Correct the page, or the program if the page is right.');
if (findings.length === 0) console.log(`${pages} pages, ${commands} commands in them`);
