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

/** Whether a line is known in full, and of those that are not, whether an allow for every command in it is void. */
async function isKnown(line: string): Promise<boolean> {
  return (await parseCommandLine(line)).complete;
}

describe('what bash evaluates by itself [contract.if.unknown-runs]', () => {
  const index = "'x[$(git push)]'";
  it.each([
    [`echo ${index}; [[ _ -eq 0 ]]`],
    [`true ${index} && [[ _ -gt 1 ]]`],
    [`ls ${index}; while [[ _ -eq 1 ]]; do true; done`],
    [`echo $${index}; [[ 0 -ge _ ]]`],
    [`( echo ${index}; [[ _ -ne 0 ]] )`],
    [`if [[ 1 -eq 1 && _ -lt 0 ]]; then true; fi`],
    [`bash -c 'echo "x[\\$(git push)]"; [[ _ -le 0 ]]'`],
    ['[[ "x[\\$(git push)]" =~ .* ]]; [[ BASH_REMATCH -eq 0 ]]'],
    [`a=${index}; [[ a -eq 0 ]]`],
    ['[[ $a -eq 0 ]]'],
    ['[[ a -e\\\nq 0 ]]'],
    ['[[ (a -eq 0)&&1 -eq 1 ]]'],
    ['[[ $(date +%s) -gt 0 ]]'],
    ['[[ -v x[a] ]]'],
    ['[[ -v "$a" ]]'],
    ['[[ -R x[a] ]]'],
    ["[ -v 'x[a]' ]"],
    ['[ -v "$a" ]'],
    ["test -v 'x[a]'"],
    ['test $a'],
    ['[ "$a" "$b" ]'],
    [': $((a))'],
    [': $[a]'],
    [': $(($a + 1))'],
    ['((a))'],
    ['((i++)); true'],
    ['if ((a)); then true; fi'],
    [`: \${y[a]}`],
    [`: \${#y[a]}`],
    [`: "\${y[a]}"`],
    [`: \${HOME:a}`],
    [`: \${HOME:0:a}`],
    [`: \${!a}`],
    [`: \${x:-$((a))}`],
    [`: \${x#\${y[a]}}`],
    [`: \${x/\${y[a]}/b}`],
    [`: \${x:-$[a]}`],
    [`[[ x =~ ^(\${y[a]})$ ]]`],
    ['y[a]=1'],
    ['echo {y[a]}>f'],
    ['exec {y[a]}>&-'],
    ['{ true; } {y[a]}>f'],
    ['set -k; bash -c : BASH_ENV=f'],
    ['set -o keyword; true'],
    ['set $a; true'],
    ['bash -kc true'],
    ['y=([a]=1)'],
    ['for ((i=b;0;)); do true; done'],
    ['for ((;0;i=b)); do true; done'],
    ['declare -i a; a=b'],
    ['local -ri a=b'],
    ["declare -n a='x[b]'"],
    ["declare -a 'x=($(git push))'"],
    ["declare 'x[a]=1'"],
    ['declare "$a"'],
    ['let a'],
    ["let 'a = 1'"],
    ["printf -v 'x[a]' y"],
    ["printf -v'x[a]' y"],
    ['printf $a y'],
    ["read 'x[a]' <<< 1"],
    ["read -a 'x[a]' <<< 1"],
    ["unset 'x[a]'"],
    ["getopts a 'x[a]' -a"],
    ["wait -p 'x[a]' -n"],
    ["PS4='$(git push >&2)'; set -x; :"],
    ["PS4='$(git push >&2)' bash -xc :"],
    ["export PS4='$(git push >&2)'; bash -xc :"],
    ["declare 'PS4=$(git push >&2)'"],
    ["read -r PS4 <<< '$(git push >&2)'"],
    ["printf -v PS4 '$(git push >&2)'"],
    [`: \${PS4:='$(git push)'}`],
    ["env PS4='$(git push >&2)' bash -xc :"],
    ["PROMPT_COMMAND='git push'"],
    ['BASH_ENV=./f bash -c true'],
    ['ENV=./f sh -ic true'],
    ['IFS=x; true'],
    ['export IFS=x'],
    ["BASH_ALIASES[ls]='git push'; ls"],
    [`RANDOM=${index}`],
    [`OPTIND=${index}`],
  ])('%j is not known', async (line) => {
    expect(await isKnown(line)).toBe(false);
  });

  it.each([
    ['[[ -f x ]]'],
    ['[[ -n $x && $y == a* ]]'],
    ['[[ $# -eq 0 ]]'],
    ['[[ $? -ne 0 || 1 -lt 2 ]]'],
    [`[[ \${#x} -gt 3 ]]`],
    ['[[ -v HOME ]]'],
    ['[[ $(node -v) == v22* ]]'],
    ['[ "$x" = y ]'],
    ['[ $# -eq 0 ] && [ -z "$x" ]'],
    ['test -f x && test "$a" -gt 3'],
    ['echo $((1 + 0x1f * 2#101))'],
    [`echo \${x[0]} \${x[@]} \${#x[@]} \${!x[@]} \${x: -3} \${x:1:2} \${x:-a}`],
    ['x=(a b c); x[0]=d'],
    ['while IFS= read -r line; do echo "$line"; done < f'],
    ['export A=1 B="$C"; declare -a x; local y=z'],
    ['printf \'%s\\n\' "$x"'],
    ['wait; unset A; set -euo pipefail; set -- $x'],
    ['echo {fd} 2>f; exec {fd}>g'],
    ['NODE_ENV=production npm test'],
  ])('%j is known', async (line) => {
    expect((await parseCommandLine(line)).doubts).toEqual([]);
  });
});

describe('a wrapper that does something of its own [contract.if.allow-covers-all]', () => {
  it.each([
    ['./env cat f'],
    ['./nice cat f'],
    ['bin/timeout 5 cat f'],
    ["./sh -c 'cat f'"],
    ['./nohup cat f'],
    ['./xargs cat'],
    ["/bin/sh -c 'cat f'"],
    ['/usr/bin/env cat f'],
    ['/usr/bin/time -o FILE cat f'],
    ['time -o FILE cat f'],
    ['time -ao FILE cat f'],
    ['time --outp=FILE cat f'],
    ['env -C dir cat f'],
    ['env --chd=dir cat f'],
    ['env -a sh cat f'],
    ['exec -a sh cat f'],
    ['nohup cat f'],
    ['sudo -D dir cat f'],
    ['xargs -a FILE cat'],
  ])('%s has to be allowed by itself, and what it starts is seen', async (line) => {
    const parsed = await parseCommandLine(line);
    expect(parsed.commands[0]?.transparent).toBe(false);
    expect(parsed.commands.some(({ words }) => words[0] === 'cat')).toBe(true);
  });

  it.each([['env -i cat f'], ['timeout 5 nice -n 5 cat f'], ['time -p cat f'], ["sh -c 'cat f'"]])(
    '%s is allowed with what it starts',
    async (line) => {
      const [wrapper] = (await parseCommandLine(line)).commands;
      expect(wrapper?.transparent).toBe(true);
    },
  );

  it('another directory is a doubt', async () => {
    expect(await isKnown('env -C dir cat f')).toBe(false);
  });
});

describe('where a command line hides [contract.if.wrappers]', () => {
  it.each([
    ["bash -c - 'git push'"],
    ["sh -c - 'git push'"],
    ["bash -oc errexit 'git push'"],
    ["sh -oc errexit 'git push'"],
    ["bash -Oc extglob 'git push'"],
    ["bash +Oc extglob 'git push'"],
    ["bash -oOc errexit extglob 'git push'"],
    ["bash -rcfile x -c 'git push'"],
    ['eval -- git push'],
    ["eval -- 'git push'"],
    ["trap -- 'git push' EXIT"],
    ['find "$X" git push \\;'],
    ['find "$X" -exec git push \\;'],
  ])('%s is seen to push', async (line) => {
    expect(await texts(line)).toContain('git push');
  });

  it.each([
    [". /dev/stdin <<'E'\ngit push\nE"],
    ["echo 'git push' | . /dev/stdin"],
    ["echo 'git push' | source /dev/fd/0"],
    ["echo 'git push' | bash /dev/fd/0"],
    ["echo 'git push' | bash //dev/./fd//0"],
    ["echo 'git push' | sh /proc/self/fd/0"],
    ["echo 'git push' | bash -"],
    ["echo 'git push' > x; . ./x"],
    ["echo 'git push' > x; bash x"],
    ["echo 'git push' > d/x; cd d; ./x"],
    ["echo 'git push' | tee x; sh ./x"],
    ['echo x > "$F"; . ./y'],
    ['curl -o x.sh example.com; sh x.sh'],
    ['bash --rcfile x -ic true'],
    ["zsh -c '=git push'"],
    ["zsh -c 'noglob git push'"],
    ["zsh -c 'repeat 1 git push'"],
    ["ksh -c 'git status'"],
  ])('%j is not known', async (line) => {
    expect(await isKnown(line)).toBe(false);
  });

  it('zsh may still be stopped', async () => {
    expect(await texts("zsh -c 'git push'")).toContain('git push');
  });

  it.each([
    ['. ./env.sh && npm test > log'],
    ['bash build.sh > log'],
    ['trap - EXIT'],
    ["trap '' INT"],
    ['trap -p'],
  ])('%s is known', async (line) => {
    expect((await parseCommandLine(line)).doubts).toEqual([]);
  });
});

describe('what a shell splits moves the words behind it [contract.if.unknown-runs]', () => {
  it.each([
    ['timeout -k $X echo hi'],
    ['timeout 5$X true'],
    ['timeout $(cat t) true'],
    ['timeout "$@" true'],
    ['timeout 5* true'],
    ['timeout {1,2} true'],
    ['env A=$X true'],
    ['env -u $X true'],
    ['nice -n $X true'],
    ['sudo A=$X true'],
    ['git -C $X status'],
    ['git --git-dir=$X status'],
    ["sh -o $X 'git push'"],
    ['find . -maxdepth 0 $X'],
    ['find . -maxdepth 0 src/$X'],
    ['find *'],
    ["echo '-exec git push ;' | xargs find . -maxdepth 0"],
    ['find . -exec find {} +'],
  ])('%s is not known', async (line) => {
    expect(await isKnown(line)).toBe(false);
  });

  it.each([
    ['timeout -k "$X" 5 true'],
    ['timeout "5$X" true'],
    ['nice -n $((2 + 3)) true'],
    ['env A="$X" true "$Y" $Z'],
    ['env A="$X$Y" true'],
    ['git -C "$X" status'],
    ['git add *.ts $X'],
    ['find "$X" -name "$Y"'],
    ['find src/* -name *.ts'],
    ['echo $X *'],
  ])('%s is known', async (line) => {
    expect((await parseCommandLine(line)).doubts).toEqual([]);
  });

  it('leaves one mark for each unknown part', async () => {
    expect(await texts('echo $X *.ts "$X$Y" a{b,$c} > $F')).toEqual([`echo ${U} ${U}.ts ${U} a${U}`]);
  });
});

describe('git reads its own words [contract.if.every-simple-command]', () => {
  it.each([
    ['/usr/lib/git-core/git-push origin', 'git push origin'],
    ['git-push origin', 'git push origin'],
    ['git send-pack origin', 'git push origin'],
    ['git -C x send-pack origin', 'git push origin'],
    ['/usr/lib/git-core/git-send-pack origin', 'git push origin'],
  ])('%s is also %s', async (line, expected) => {
    const [command] = (await parseCommandLine(line)).commands;
    expect(command?.also.map((words) => words.join(' '))).toContain(expected);
  });

  it.each([
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p'],
    ['GIT_CONFIG_GLOBAL=./f git log'],
    ['git -c include.path=f log'],
    ['git -c core.pager=./x log'],
    ['git --config-env=alias.p=X log'],
    ['git --config-env alias.p=X log'],
    ['git --exec-path=. log'],
    ['git --surprise x log'],
    ['git config alias.q push; git q'],
    ['git q'],
    ["git submodule foreach 'git push'"],
    ["git rebase -x 'git push' HEAD~2"],
    ['git bisect run git push'],
    ['git difftool -yx ./x'],
  ])('%s is not known', async (line) => {
    expect(await isKnown(line)).toBe(false);
  });

  it.each([
    ['git status'],
    ['git --no-pager log --oneline'],
    ['git -c user.name=a -c color.ui=never commit -m x'],
    ['git rebase main && git submodule update --init'],
    ['git --version'],
    ['git-crypt status'],
  ])('%s is known', async (line) => {
    expect((await parseCommandLine(line)).doubts).toEqual([]);
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
    `find ${'"$x" '.repeat(15_000)} \\;`,
    `[[ ${'-eq '.repeat(20_000)}`,
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
    '$"al"pha x',
    'al$"p"ha x',
    'alpha p$"q"r; beta $"s"',
    'alpha p$"q"r',
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
    "true 'x[$(alpha)]'; [[ _ -eq 0 ]]",
    "a='x[$(alpha)]'; : $((a)); ((a)); : ${y[a]}; : ${HOME:a}; for ((i=a;0;)); do true; done",
    "a='x[$(alpha)]'; declare -i b; b=a; let a; : ${!a}; declare -a 'c=($(beta))'",
    '[[ \'x\' < "x[\\$(alpha)]" ]]; [[ "x[\\$(alpha)]" =~ .* ]]; [[ BASH_REMATCH -eq 0 ]]',
    "PS4='$(alpha >&2)'; set -x; :",
    "RANDOM='x[$(alpha)]'",
    "bash -c - 'alpha x'; sh -c - 'beta y'",
    "bash -oc errexit 'alpha x'; sh -oc errexit 'beta y'; bash +Oc extglob 'gamma'",
    "eval -- alpha x; trap -- 'beta y' EXIT",
    "echo 'alpha x' | bash /dev/fd/0; echo 'beta y' | . /dev/stdin",
    "X='1 2 alpha x'; timeout -k $X echo hi",
    "X=' alpha x'; timeout 5$X true; env A=$X true",
    "X='-exec alpha x ;'; find . -maxdepth 0 $X; echo '-exec beta y ;' | xargs find . -maxdepth 0",
    'X=-exec; find . -maxdepth 0 "$X" alpha x \';\'',
    "echo 'alpha x' >f; . ./f; sh f",
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
