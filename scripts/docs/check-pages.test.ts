import { expect, it } from 'vitest';
import { checkPages } from './check-pages.ts';

const manifest = { 'package.json': '{"scripts": {"check": "true"}}' };

function findingsIn(files: Readonly<Record<string, string>>): readonly string[] {
  const tree: Readonly<Record<string, string>> = { ...manifest, ...files };
  return checkPages({ files: Object.keys(tree), read: (file) => tree[file] ?? '' }).findings;
}

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

it.each([
  [
    'a link to a file that is not there',
    '[x](b.md)',
    'a.md:1  the link b.md leads to b.md, which does not exist',
  ],
  [
    'a link to a heading that is not there',
    '# One\n[x](#two)',
    'a.md:2  the link #two names a heading that a.md does not have',
  ],
  ['an address that is none', '[x](https://)', 'a.md:1  https:// is not an address'],
  [
    'a flag the program does not have',
    fenced('sh', '# why\ncodey hooks list --jsn  # all of them'),
    'a.md:3  "codey hooks list --jsn": unknown flag --jsn; did you mean --json?',
  ],
  [
    'a command behind a pipe',
    fenced('sh', 'git diff | codey --prnt "a b"'),
    'a.md:2  "codey --prnt a b": unknown flag --prnt; did you mean --print?',
  ],
  [
    'a command over two lines',
    fenced('sh', 'codey hooks test \\\n  --tool run_shell'),
    'a.md:2  "codey hooks test --tool run_shell": give <event> or --fixtures <dir>',
  ],
  [
    'a command inside a line',
    'Call `codey hooks wy`.',
    'a.md:1  "codey hooks wy": hooks has no command wy; did you mean why?',
  ],
  [
    'a script npm does not have',
    'Call `npm run chek`.',
    'a.md:1  "npm run chek": package.json has no script chek',
  ],
  [
    'a test file that is not there',
    '`npx vitest run src/x.test.ts`',
    'a.md:1  "npx vitest run src/x.test.ts": src/x.test.ts does not exist',
  ],
  [
    'code of its own',
    fenced('ts', 'const x = 1;'),
    'a.md:2  this code stands in no file of examples/; put it there with a test, and copy it from there',
  ],
])('finds %s', (_, text, finding) => {
  expect(findingsIn({ 'a.md': text })).toEqual([finding]);
});

it('finds JSON that does not parse', () => {
  expect(findingsIn({ 'a.md': fenced('json', '{"a": }') })).toEqual([
    expect.stringMatching(/^a\.md:2 {2}this is not JSON: ./),
  ]);
});

it.each([
  ['a whole file', '{"hooks": {"PreToolUs": []}}'],
  ['the value of hooks', '{"Stop": [{"hooks": [{"type": "command"}]}]}'],
  ['one key of it', '"Stop": [{"hooks": [{"type": "command"}]}]'],
  ['one handler', '{"type": "command", "command": "x", "timeout": 0}'],
])('asks the loader about settings: %s', (_, text) => {
  const [first, ...more] = findingsIn({ 'a.md': fenced('json', text) });
  expect(more).toEqual([]);
  expect(first).toMatch(/^a\.md:2 {2}the loader says: /);
});

it.each([
  ['links to files, folders and headings', '# A `b`: c\n[x](docs/) [y](#a-b-c) [z](docs/d.md#two-1)'],
  ['a link inside code', 'an array `[x](nowhere)`'],
  ['a group of commands', 'see `codey hooks …`'],
  ['a placeholder', 'see `codey -resume <id>` and `codey hooks test --fixtures <dir>`'],
  ['arrows', '`codey → agent`'],
  ['answers and payloads', fenced('json', '{"decision": "block", "reason": "no"}')],
  ['settings for managed files', fenced('json', '{"hookFailure": {"project": "block"}}')],
  ['an excerpt of an example', fenced('ts', 'const x = 1;')],
  ['text that shows no code', fenced('', 'codey --nonsense')],
])('takes %s', (_, text) => {
  const others = { 'docs/d.md': '# Two\n# Two', 'examples/x.ts': '// why\nconst x = 1;\n' };
  expect(findingsIn({ 'a.md': text, ...others })).toEqual([]);
});

it('reads what people read, not the texts for models beside their tools', () => {
  const tree: Readonly<Record<string, string>> = {
    ...manifest,
    'packages/agent/src/tools/x.md': '[x](nowhere)',
  };
  const checked = checkPages({ files: Object.keys(tree), read: (file) => tree[file] ?? '' });
  expect(checked).toEqual({ findings: [], pages: 0, commands: 0 });
});
