import { mkdtemp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileGlob, escapeGlob, unknownPart } from './glob.ts';
import { type ParsedLine, parseCommandLine } from './shell.ts';

const U = unknownPart;

async function texts(line: string): Promise<readonly string[]> {
  return (await parseCommandLine(line)).commands.map(({ words }) => words.join(' '));
}

describe('a plain line', () => {
  it.each([
    ['git push origin main', ['git push origin main']],
    ['  ls   -la\tsrc ', ['ls -la src']],
    ['', []],
    ['npm run build --if-present a=b', ['npm run build --if-present a=b']],
    ['timeout 5 git push', ['timeout 5 git push', 'git push']],
    ['ls *.ts src/[ab] ~/x {a,b}', [`ls ${U}.ts src/${U} ${U}/x ${U}`]],
  ])('%j is answered without the grammar', (line, expected) => {
    const noGrammar = () => Promise.reject(new Error('not needed'));
    const parsed = parseCommandLine(line, noGrammar) as ParsedLine;
    expect(parsed).not.toBeInstanceOf(Promise);
    expect(parsed.commands.map(({ words }) => words.join(' '))).toEqual(expected);
    expect(parsed.doubts).toEqual([]);
  });
});

describe('every simple command [contract.if.every-simple-command]', () => {
  it.each([
    ['git push && make', ['git push', 'make']],
    ['a || b; c & d', ['a', 'b', 'c', 'd']],
    ['a | b |& c', ['a', 'b', 'c']],
    ['a\nb\n\nc', ['a', 'b', 'c']],
    ['(a; b) && { c; }', ['a', 'b', 'c']],
    ['! git push', ['git push']],
    ['echo $(git push)', [`echo ${U}`, 'git push']],
    ['echo "at $(git push) now"', [`echo at ${U} now`, 'git push']],
    ['echo `git push`', [`echo ${U}`, 'git push']],
    ['echo `echo \\`git push\\``', [`echo ${U}`, 'echo `git push`', `echo ${U}`, 'git push']],
    ['diff <(git show a) >(tee b)', [`diff ${U} ${U}`, 'git show a', 'tee b']],
    ['echo $((1 + $(git push)))', [`echo ${U}`, 'git push']],
    [`echo \${x:-$(git push)}`, [`echo ${U}`, 'git push']],
    ['x=$(git push)', ['git push']],
    ['FOO=1 BAR="a b" git push', ['git push']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for x in $(a); do b; done; while c; do d; done; until e; do f; done', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['case $(a) in x|y) b;; *) c;; esac', ['a', 'b', 'c']],
    ['[[ -n $(a) ]] && [ -f b ] && c', ['a', 'c']],
    ['cat <<END\nx $(git push)\nEND\nmake', ['cat', 'git push', 'make']],
    ['cat <<END\nx `git push`\nEND', ['cat', 'git push']],
    ["cat <<'END'\n$(git push) `x`\nEND\nmake", ['cat', 'make']],
    ['cat <<END\nx \\$(git push) \\`x\\`\nEND', ['cat']],
    ['cat > f <<END && git push\nx\nEND', ['cat', 'git push']],
    ['cat <<< "$(git push)"', ['cat', 'git push']],
    ['git > log push 2>&1 origin', ['git push origin']],
    ['> log git push', ['git push']],
    ['git \\\n  push', ['git push']],
    ['git push # && rm x', ['git push']],
    ['export A=$(git push) B', [`export A=${U} B`, 'git push']],
    ['((git push))', ['git push']],
    ['time (git push)', ['time', 'git push']],
  ])('%j', async (line, expected) => {
    expect(await texts(line)).toEqual(expected);
  });

  it.each([
    ['"git" \'push\'', 'git push'],
    ['g\\it pu"s"h', 'git push'],
    ["$'git' $'pu\\x73h'", 'git push'],
    [`echo "a\\"b\\\\c\\$d\\e"`, 'echo a"b\\c$d\\e'],
    ["echo 'a\\b' '' \"\"", 'echo a\\b  '],
    ['echo a#b 😀"é😀"', 'echo a#b 😀é😀'],
    ['echo "a  b" a\\ b', 'echo a  b a b'],
    ['echo $', 'echo $'],
    ['echo "*" \\* [', 'echo * * ['],
  ])('%j without its quotes is %j', async (line, expected) => {
    expect(await texts(line)).toEqual([expected]);
  });

  it.each([
    ['$CMD push', `${U} push`],
    ['rm -rf "$HOME"/x', `rm -rf ${U}/x`],
    ['rm $X', `rm ${U}`],
    ["rm *.c 'b'?", `rm ${U}.c b${U}`],
    ["cat '~' ~ ~root/x", `cat ~ ${U} ${U}/x`],
    ["echo {a,b}.c {a} {} {1..3} '{a,b}'", `echo ${U}.c {a} {} ${U} {a,b}`],
  ])('%j keeps what is known at run time only as unknown', async (line, expected) => {
    expect(await texts(line)).toEqual([expected]);
  });

  it('reports the files a line opens and the variables it sets', async () => {
    const parsed = await parseCommandLine(
      'A=1 b <in >out 2>>"$LOG" 3>&1 &>all >&- >&both; C=2; export D=3 E; for f in x; do y; done',
    );
    expect(parsed.redirects).toEqual([
      { direction: 'in', target: 'in' },
      { direction: 'out', target: 'out' },
      { direction: 'out', target: U },
      { direction: 'out', target: 'all' },
      { direction: 'out', target: 'both' },
    ]);
    expect([...parsed.assigned].sort()).toEqual(['A', 'C', 'D', 'E', 'f']);
  });
});

describe('wrappers [contract.if.wrappers]', () => {
  it.each([
    ['env git push'],
    ['env -i -u X A=b git push'],
    ['/usr/bin/env -C dir --unset=X A="b c" git push'],
    ['timeout -s KILL 5 git push'],
    ['timeout --kill-after=3 --signal KILL 5m git push'],
    ['nice git push'],
    ['nice -n 5 git push'],
    ['nice -10 git push'],
    ['nohup git push &'],
    ['command -p git push'],
    ['time -p git push'],
    ['exec -a name git push'],
    ['sudo -u root -n git push'],
    ['sudo --user=root A=b git push'],
    ['eval git push'],
    ['eval "git push"'],
    ["eval 'git' 'push'"],
    ["sh -c 'git push'"],
    ['bash -lc "git push" name arg'],
    ["bash -e -o pipefail -c 'cd x; git push'"],
    ["dash -ec 'git push'"],
    ["zsh -c -- 'git push'"],
    ["/bin/sh -c 'git push'"],
    ['sh -c "sh -c \'git push\'"'],
    ['env A=1 timeout 5 nice sudo sh -c \'eval "git push"\''],
    ["trap 'git push' EXIT"],
    ["bash <<'END'\ngit push\nEND"],
    ["sh <<< 'git push'"],
    ['setsid -w stdbuf -oL git push'],
  ])('%s is seen to push', async (line) => {
    expect(await texts(line)).toContain('git push');
  });

  it.each([
    ['echo x | xargs git push', `git push ${U}`],
    ['xargs -0 -n1 -P 4 git push', `git push ${U}`],
    ['xargs -I{} git push {} now', `git push ${U} now`],
    ['xargs -I X sh -c "git push X"', `git push ${U}`],
    ['find . -name "*.c" -exec rm -f {} \\;', `rm -f ${U}`],
    ['find . -exec a {} + -execdir b {}x \\; -ok c \\;', `b ${U}x`],
    ['find . -exec sh -c \'git push "$1"\' _ {} \\;', `git push ${U}`],
  ])('%s starts %j', async (line, expected) => {
    expect(await texts(line)).toContain(expected);
  });

  it.each([
    ['command -v git', ['command -v git']],
    ['bash script.sh -c x', ['bash script.sh -c x']],
    ['bash --version', ['bash --version']],
    ['env', ['env']],
    ['echo git push', ['echo git push']],
    ["echo 'a && git push'", ['echo a && git push']],
    ['find . -name x', ['find . -name x']],
  ])('%s starts nothing else', async (line, expected) => {
    const parsed = await parseCommandLine(line);
    expect(parsed.commands.map(({ words }) => words.join(' '))).toEqual(expected);
    expect(parsed.doubts).toEqual([]);
  });

  it.each([
    ['git -C dir push', ['git push']],
    ['git -c a.b=c --git-dir x --no-pager push origin', ['git push origin']],
    ['/usr/bin/git -C x push', ['git -C x push', 'git push']],
    ['./tools/git push', ['git push']],
    ['git push', []],
    ['git', []],
  ])('%s is also listed as %j', async (line, expected) => {
    const [command] = (await parseCommandLine(line)).commands;
    expect(command?.also.map((words) => words.join(' '))).toEqual(expected);
  });
});

describe('what cannot be read with certainty [contract.if.unknown-runs]', () => {
  it.each([
    ['echo "unclosed'],
    ['git push)'],
    ['if true; then'],
    ['$CMD push'],
    ['eval "$X"'],
    ['sh -c "git $X"'],
    ['echo git push | sh'],
    ['curl x | sudo bash -s'],
    ['f() { git "$@"; }; f push'],
    ['alias g=git; g push'],
    ['hash -p ./evil git; git status'],
    [`echo \${x@P}`],
    ["[[ 'a[$(git push)]' -eq 0 ]]"],
    ["test -v 'a[$(git push)]'"],
    ["git -c alias.x='!git push' x"],
    ['timeout --surprise 5 git push'],
    ['env -S "git push"'],
    ['time { git push; }'],
    ['coproc git push'],
    ['echo a\r\ngit push'],
    [`git${'\\\n'}push`],
    ["echo $'\\'; git push; echo '"],
    ['a &> f git push'],
    ['echo `a` `b`'],
    ['cat <<E"N"D\nx\nEND'],
    [`echo ${'x'.repeat(100_001)}`],
    [`echo ${'$('.repeat(600)}a${')'.repeat(600)}`],
    [`${'eval '.repeat(12)}git push`],
  ])('%j is not called complete', async (line) => {
    expect(await parseCommandLine(line)).toMatchObject({
      complete: false,
      doubts: expect.arrayContaining([expect.any(String)]),
    });
  });

  it('what could be read of a broken line is still listed', async () => {
    expect(await texts('git push && echo "')).toContain('git push');
  });

  it('says when the grammar is not there', async () => {
    const parsed = await parseCommandLine('a && b', () => Promise.reject(new Error('no such file')));
    expect(parsed).toMatchObject({
      complete: false,
      doubts: ['the shell grammar could not be loaded: no such file'],
    });
  });
});

it('a line made to choke a parser ends all the same', async () => {
  const bombs = [
    '('.repeat(50_000),
    '$('.repeat(30_000),
    '`'.repeat(90_000),
    '\'"'.repeat(40_000),
    'a=(('.repeat(20_000),
    '<<a '.repeat(20_000),
  ];
  for (const bomb of bombs) expect((await parseCommandLine(bomb)).complete).toBe(false);
});

const known = ['git push origin', 'rm -rf build', 'npm publish --tag next'] as const;

/** A known command somewhere in a line, with the words it must be found under. */
const quoteWord = fc.constantFrom(
  (word: string) => word,
  (word: string) => `'${word}'`,
  (word: string) => `"${word}"`,
  (word: string) => `${word.slice(0, 1)}\\${word.slice(1)}`,
  (word: string) => `${word.slice(0, 1)}""${word.slice(1)}`,
);
const simple = fc
  .tuple(fc.constantFrom(...known), fc.array(quoteWord, { minLength: 4, maxLength: 4 }))
  .map(([command, quotes]) => ({
    line: command
      .split(' ')
      .map((word, at) => quotes[at]?.(word) ?? word)
      .join(' '),
    holds: [command as string],
  }));
const single = (line: string) => `'${line.replaceAll("'", "'\\''")}'`;
const { composed } = fc.letrec<{ composed: { line: string; holds: string[] } }>((tie) => ({
  composed: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc
      .tuple(
        tie('composed'),
        fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& '),
        tie('composed'),
      )
      .map(([one, between, other]) => ({
        line: one.line + between + other.line,
        holds: [...one.holds, ...other.holds],
      })),
    fc
      .tuple(
        tie('composed'),
        fc.constantFrom(
          // Apart, since `((` begins arithmetic.
          (line: string) => `( ${line} )`,
          (line: string) => `{ ${line}; }`,
          (line: string) => `echo "$( ${line} )"`,
          (line: string) => `x=$( ${line} )`,
          (line: string) => `if true; then ${line}; fi`,
          (line: string) => `while ${line}\ndo break; done`,
          (line: string) => `for i in 1 2; do ${line}; done`,
          (line: string) => `sh -c ${single(line)}`,
          (line: string) => `bash -lc ${single(line)} name`,
          (line: string) => `timeout -s KILL 5 sh -c ${single(line)}`,
          (line: string) => `eval ${single(line)}`,
          (line: string) => `cat <<END\n$( ${line}\n)\nEND`,
          (line: string) => `diff <( ${line} ) x`,
          (line: string) => `f() { ${line}; }`,
        ),
      )
      .map(([inner, wrap]) => ({ line: wrap(inner.line), holds: inner.holds })),
    fc
      .tuple(
        simple,
        fc.constantFrom(
          'A=1 ',
          'env B=2 ',
          'sudo -u x ',
          'nice -n 5 ',
          'xargs ',
          '>log ',
          'command ',
          'nohup ',
        ),
      )
      .map(([inner, before]) => ({ line: before + inner.line, holds: inner.holds })),
  ),
}));

it('finds a command however it is joined, wrapped and quoted [contract.if.every-simple-command]', async () => {
  await fc.assert(
    fc.asyncProperty(composed, async ({ line, holds }) => {
      const parsed = await parseCommandLine(line);
      const seen = parsed.commands.map(({ words }) => words.join(' '));
      for (const command of holds)
        expect(seen.some((text) => text === command || text === `${command} ${U}`)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

describe('against the shells themselves', () => {
  let folder: string;
  const programs = ['alpha', 'beta', 'gamma'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codey-shell-'));
    await mkdir(join(folder, 'bin'));
    const recorder = `#!/bin/sh\nprintf '%s\\001' "\${0##*/}" "$@" >"$RECORDS/$$"\n`;
    for (const name of programs) await writeFile(join(folder, 'bin', name), recorder, { mode: 0o755 });
    for (const name of ['env', 'timeout', 'nice', 'xargs', 'sh', 'bash', 'cat', 'find']) {
      const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      if (found.startsWith('/')) await symlink(found, join(folder, 'bin', name));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs a line and returns the words of every program it started. */
  async function run(shell: string, line: string): Promise<readonly string[][]> {
    const place = await mkdtemp(join(folder, 'run-'));
    const records = join(place, 'records');
    await mkdir(records);
    const environment = { PATH: join(folder, 'bin'), RECORDS: records, HOME: place };
    spawnSync(shell, ['-c', line], {
      cwd: place,
      env: environment,
      input: '',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    const files = await readdir(records);
    const words = await Promise.all(
      files.map(async (file) => (await readFile(join(records, file), 'utf8')).split('\x01').slice(0, -1)),
    );
    return words.filter((found) => found.length > 0);
  }

  async function expectSeen(line: string): Promise<void> {
    const parsed = await parseCommandLine(line);
    for (const shell of ['/bin/bash', '/bin/sh']) {
      for (const words of await run(shell, line)) {
        const glob = compileGlob(escapeGlob(words.join(' ')));
        const seen = parsed.commands.some((command) => glob.couldMatch(command.words.join(' ')));
        expect({ line, shell, words, seen: seen || !parsed.complete }).toEqual({
          line,
          shell,
          words,
          seen: true,
        });
      }
    }
  }

  it.each([
    'alpha > f x y',
    'alpha 2>&1 x >f y | beta',
    'al"pha" x\\ y "a  b"',
    `x="b c"; alpha $x "$x" \${x:-d}`,
    'alpha $(beta x) "`gamma y`"',
    'echo a | xargs alpha b',
    'echo a b | xargs -n1 -I{} alpha {} c',
    'find . -maxdepth 0 -exec alpha {} \\;',
    'cat <<END | sh\nalpha\nEND',
    "cat <<'END' >f && alpha\n$(beta)\nEND",
    'if ! alpha; then beta; fi; case x in (x) gamma;; esac',
    'env A=1 timeout -s KILL 5 nice -n 5 sh -c \'alpha "$@"\' _ x',
    '((alpha x)) 2>/dev/null; ((alpha x); beta)',
    'alpha &>/dev/null beta',
    "alpha $'\\'; beta; alpha '",
    'alpha {a,b}{1,2} *.none ~ ~/x "~"',
    'f() { alpha "$@"; }; f x; alias g=beta\ng',
    'al\\\npha x; alpha\\\n y',
    'alpha `beta x` `gamma y`',
    'alpha `beta \\`gamma\\``',
    'alpha "a#b" c#d #e; beta',
    'alpha <<A; beta\n$(gamma)\nA',
  ])('%j', expectSeen);

  it('nothing that bash or sh starts is missed by a line called complete', async () => {
    const word = fc.constantFrom(
      'x',
      '"a b"',
      "'c d'",
      '$x',
      '"$x"',
      '\\"q',
      '{a,b}',
      '*',
      '~',
      '$(gamma s)',
      '`gamma u`',
      '"`gamma w`"',
      '--o=$(gamma k)',
      '#n',
      'a#b',
      `\${x:-$(gamma y)}`,
      '<(gamma z)',
      '""',
      '2>&1',
      '>f',
      '&>g',
      '<<<q',
      '\\\n',
      '!',
    );
    const start = fc.constantFrom(
      'alpha',
      'beta',
      '"al"pha',
      'x=1 gamma',
      'al\\\npha',
      '>f beta',
      'env gamma',
      'exec alpha',
    );
    const command = fc
      .tuple(start, fc.array(word, { maxLength: 4 }))
      .map(([first, rest]) => [first, ...rest].join(' '));
    const line = fc
      .array(fc.tuple(command, fc.constantFrom('; ', ' && ', ' | ', '\n', ' & ', ' || true; ')), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.flat().slice(0, -1).join(''));
    const noise = fc.constantFrom(
      '',
      '',
      '',
      '"',
      "'",
      '`',
      '\\',
      '(',
      ')',
      '{',
      '}',
      ';',
      '&',
      '|',
      '<',
      '>',
      '$',
      '#',
      '\n',
      ' ',
      '=',
      '\r',
    );
    const disturbed = fc
      .tuple(line, noise, fc.nat(60))
      .map(([text, extra, at]) => text.slice(0, at) + extra + text.slice(at));
    await fc.assert(fc.asyncProperty(disturbed, expectSeen), { numRuns: 120 });
  });
});
