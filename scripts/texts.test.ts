import { expect, it } from 'vitest';
import { repository } from './fixture.ts';
import { checkTexts } from './texts.mjs';

it.each([
  [
    'this machine in code',
    'a.ts',
    "const x = '/srv/me/codey/a';",
    'a.ts:1  a path of this machine: /srv/me/codey',
  ],
  [
    'some machine in a page',
    'docs/a.md',
    'see\n`/home/ann/x`',
    'docs/a.md:2  an absolute path of some machine: /home/ann',
  ],
  ['a temporary folder in a page', 'a.md', 'cd /tmp/x', 'a.md:1  an absolute path of some machine: /tmp/x'],
  [
    'a registry in the lockfile',
    'package-lock.json',
    '"resolved": "https://registry.example.com/a.tgz"',
    'package-lock.json:1  an address of a registry: "resolved": "https://registry.example.com/a.tgz"',
  ],
])('finds %s', (_, file, text, finding) => {
  expect(checkTexts(repository({ [file]: text }), ['/srv/me/codey'])).toEqual([finding]);
});

it.each([
  ['the reader as an example', 'a.md', 'in `/home/you/project`'],
  ['paths inside the project', 'a.md', 'in docs/home/x and ~/work/y'],
  ['a sibling of the same beginning', 'a.ts', "'/srv/me/codey-old'"],
  ['sample paths in code', 'a.test.ts', "'/tmp/x'"],
  ['a package of the workspace', 'package-lock.json', '"resolved": "packages/agent"'],
])('leaves alone %s', (_, file, text) => {
  expect(checkTexts(repository({ [file]: text }), ['/srv/me/codey', '/root'])).toEqual([]);
});
