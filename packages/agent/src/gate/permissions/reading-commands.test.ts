import { parseCommandLine } from '@codey/hooks';
import { describe, expect, it } from 'vitest';
import { isReadingLine } from './reading-commands.ts';

const place = {
  cwd: '/work/project/src',
  roots: ['/work/project', '/work/added'],
  ownGit: (directory: string) => directory !== '/work/project/src/vendor',
  leadsInside: (path: string) => path.startsWith('/work/') && !/\/link(?:\/|$)/.test(path),
};

async function reads(line: string, where = place): Promise<boolean> {
  return isReadingLine({ kind: 'command', line, ...(await parseCommandLine(line)) }, where);
}

describe('a line that only reads', () => {
  it.each([
    'ls',
    'ls -la .. sub ../lib /work/project/docs /work/added/x',
    'cat a.ts b.ts',
    "grep -rn 'a.*b' . | head -20 | sort -u | uniq -c",
    'cd sub && ls',
    'git status && git --no-pager log --oneline -5 && git diff HEAD~1 -- a.ts',
    'git branch',
    'git branch -avv',
    "git branch --list 'x'",
    'git tag -l',
    'git remote -v',
    'git stash list',
    'find . -name a.ts -type f -print',
    'rg --files --glob=a',
    'date +%s',
    'command -v git',
    'timeout 5 nice ls',
    "sh -c 'ls; pwd'",
    'if test -f a; then cat a; fi',
    'cat a 2>/dev/null < b 2>&1',
    'echo "a b" && printf %s x && true',
    'sort -k2 a',
    'stat a; wc -l a; du -sh .; diff a b',
    'echo --output=x',
  ])('%s runs without asking', async (line) => {
    expect(await reads(line)).toBe(true);
  });
});

describe('a line that may do more', () => {
  it.each([
    ['writes', 'echo x > a'],
    ['writes', 'ls >> /work/project/a'],
    ['writes through the network', 'echo x > /dev/tcp/host/80'],
    ['is not on the list', 'make'],
    ['is not on the list', 'ls && make'],
    ['hides another command', 'echo $(make)'],
    ['hides another command', 'cat <(make)'],
    ['is some program of that name', './ls'],
    ['is some program of that name', '/tmp/ls'],
    ['follows a link out', 'cat link'],
    ['follows a link out', 'cat < link'],
    ['follows a link out', 'grep -f link a'],
    ['follows a link out', 'grep --file=link a'],
    ['follows a link out', 'ls sub/link/x'],
    ['follows a link out', 'cd link && ls'],
    ['follows a link out', 'cd sub && cat link'],
    ['may follow links', 'grep -R x .'],
    ['may follow links', 'grep -rnR x .'],
    ['may follow links', 'find -L . -name x'],
    ['may follow links', 'rg -L x'],
    ['may follow links', 'diff -r a b'],
    ['reads what a file names', 'sort --files0-from=list'],
    ['reads what a file names', 'wc --files0=list'],
    ['reads what a file names', 'strings @list'],
    ['reads what a file names', 'file -f list'],
    ['is not known word by word', 'cat $FILE'],
    ['is not known word by word', 'cat *.ts'],
    ['is not known word by word', 'cat ~/.ssh/id_rsa'],
    ['is not known word by word', 'cat < "$X"'],
    ['cannot be read', 'ls "'],
    ['redefines what it starts', 'ls() { make; }; ls'],
    ['sets a variable', 'PATH=. ls'],
    ['sets a variable', 'env LD_PRELOAD=./x ls'],
    ['prints variables', 'env'],
    ['reads outside', 'cat /etc/passwd'],
    ['reads outside', 'cat ../../secret'],
    ['reads outside', 'cat < /etc/passwd'],
    ['reads outside', 'grep -f/etc/passwd a'],
    ['reads outside', 'grep --file=/etc/passwd a'],
    ['reads outside', 'git diff --no-index /etc/passwd a'],
    ['leaves', 'cd / && ls'],
    ['leaves', 'cd && ls'],
    ['leaves', 'cd - && ls'],
    ['leaves', 'cd sub && cd ../../.. && cat x'],
    ['runs as somebody else', 'sudo ls'],
    ['feeds unknown words', 'ls | xargs cat'],
    ['runs what it finds', 'find . -exec cat {} +'],
    ['runs what it finds', 'find . -okdir ls \\;'],
    ['deletes', 'find . -delete'],
    ['writes', 'find . -fprint a'],
    ['writes', 'sort -o a b'],
    ['writes', 'sort -uo a b'],
    ['writes', 'sort --outp=a b'],
    ['runs a program', 'sort --compress-program=./x b'],
    ['writes', 'uniq a b'],
    ['writes', 'tree -o a'],
    ['runs a program', 'rg --pre ./x y'],
    ['runs a program', 'rg --pre=./x y'],
    ['sets the clock', 'date -s 12:00'],
    ['sets the clock', 'date 01011200'],
    ['sets a variable', 'printf -v PATH x'],
    ['runs an index', "test -v 'a[$(make)]'"],
    ['starts with settings', 'git -c core.pager=./x log'],
    ['works elsewhere', 'git -C /work/other status'],
    ['works elsewhere', 'git --git-dir=x status'],
    ['runs a program', 'git diff --ext-diff'],
    ['runs a program', 'git log --ext -p'],
    ['writes', 'git diff --output=a'],
    ['writes', 'git log --outp a'],
    ['makes a branch', 'git branch x'],
    ['deletes a branch', 'git branch -D x'],
    ['renames a branch', 'git branch --list -m x'],
    ['makes a tag', 'git tag v1'],
    ['adds a remote', 'git remote add x y'],
    ['drops', 'git stash drop'],
    ['forgets', 'git reflog expire'],
    ['changes', 'git commit'],
    ['does nothing known', 'git'],
    ['is empty', ''],
  ])('%s: %s', async (_, line) => {
    expect(await reads(line)).toBe(false);
  });

  it('asks git in a repository that came with the files', async () => {
    expect(await reads('git status', { ...place, cwd: '/work/project/src/vendor' })).toBe(false);
    expect(await reads('cd vendor && git status')).toBe(false);
    expect(await reads('cd lib && git status')).toBe(true);
    expect(await reads('cd lib && cd .. && git status')).toBe(false);
  });

  it('runs outside the workspace', async () => {
    expect(await reads('ls', { ...place, cwd: '/etc' })).toBe(false);
  });
});
