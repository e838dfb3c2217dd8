import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookDefinition } from '../config/hook.ts';
import { loadSettings } from '../config/load.ts';
import { shellCall, testContext, testEngine, testSnapshot } from '../testing/table-engine.ts';
import type { TrustCheck, TrustCheckOptions } from './check.ts';
import { heldBackNotice, isOpen } from './review.ts';
import { firstHook, type TempProject, tempProject } from './temp-project.ts';
import type { AnyHook, TrustState } from './trust.ts';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

interface Session {
  readonly trust: TrustCheck;
  readonly hook: AnyHook;
  readonly state: (workspace?: string) => Promise<TrustState>;
}

async function open(options: Partial<TrustCheckOptions> = {}): Promise<Session> {
  const loaded = await project.load();
  const trust = project.session(options);
  await trust.open({ loaded });
  const hook = firstHook(loaded);
  return { trust, hook, state: async (workspace) => trust.check(hook, workspace) };
}

async function openAgreed(options: Partial<TrustCheckOptions> = {}): Promise<Session> {
  const session = await open(options);
  expect(await session.trust.agree(session.trust.review())).toEqual({ ok: true });
  return session;
}

const trusted = { kind: 'trusted' };

describe('before anybody agreed', () => {
  it.each(['project', 'local'])(
    'holds hooks of a %s file back [contract.trust.repo-hooks-held]',
    async (scope) => {
      project.settings('true');
      if (scope === 'local')
        renameSync(
          join(project.root, '.codey/settings.json'),
          join(project.root, '.codey/settings.local.json'),
        );
      expect(await (await open()).state()).toEqual({ kind: 'untrusted' });
    },
  );

  it('holds lifecycle commands back too [contract.trust.repo-hooks-held]', async () => {
    project.settings({ hooks: { run_end: ['true'] } });
    expect(await (await open()).state()).toEqual({ kind: 'untrusted' });
  });

  it('holds back a hook that nobody announced, and reads the store for it', async () => {
    project.settings('true');
    const hook = firstHook(await project.load());
    expect(await project.session().check(hook)).toEqual({ kind: 'untrusted' });
    await openAgreed();
    expect(await project.session().check(hook)).toEqual(trusted);
  });

  it('says how many are held back and what shows them [contract.trust.headless-held]', async () => {
    project.settings({ hooks: { run_end: ['true', 'false'] }, env: { PORT: '1' } });
    const { trust } = await open();
    expect(heldBackNotice(trust.review())).toBe(
      '2 hooks of this repository and 1 settings file of this repository are held back until you agree: codey hooks trust shows what would run',
    );
    await trust.agree(trust.review());
    expect(heldBackNotice(trust.review())).toBeUndefined();
    expect(isOpen(trust.review())).toBe(false);
  });

  it('lets the user’s own hooks run', async () => {
    project.write(join(project.home, '.codey/settings.json'), '{"hooks": {"run_end": ["true"]}}');
    expect(await (await open()).state()).toEqual(trusted);
  });
});

describe('an agreement', () => {
  it('holds in the next session and for a copy of the hook with another failure mode', async () => {
    project.settings('true');
    await openAgreed();
    const { trust, hook, state } = await open();
    expect(await state()).toEqual(trusted);
    expect(await trust.check({ ...(hook as HookDefinition), onFailure: 'block' })).toEqual(trusted);
  });

  it('can be given to some of what is shown', async () => {
    project.settings({ hooks: { run_end: ['true', 'false'] } });
    const { trust } = await open();
    const review = trust.review();
    await trust.agree({ ...review, hooks: review.hooks.slice(1) });
    expect(trust.review().hooks.map(({ standing }) => standing.kind)).toEqual(['untrusted', 'trusted']);
  });

  it('is for what was shown and not for what is there when the answer comes', async () => {
    project.settings('./guard.sh');
    project.write('guard.sh', 'exit 0');
    const { trust, state } = await open();
    const shown = trust.review();
    project.write('guard.sh', 'exit 1');
    await trust.agree(shown);
    expect(await state()).toEqual({
      kind: 'changed',
      what: 'guard.sh changed since this session began; review',
    });
    expect(await (await open()).state()).toEqual({ kind: 'modified' });
  });

  it('stays with its hook when others come before it in the file', async () => {
    project.settings({ hooks: { run_end: ['true'] } });
    await openAgreed();
    project.settings({ hooks: { run_start: ['false'], run_end: ['true'] } });
    const { trust } = await open();
    expect(trust.review().hooks.map(({ standing }) => standing.kind)).toEqual(['untrusted', 'trusted']);
  });

  it.each([
    ['its command', { command: 'false' }],
    ['its matcher', { matcher: 'run_shell' }],
    ['its condition', { if: 'run_shell(git *)' }],
    ['its timeout', { timeout: 5 }],
    ['its failure mode', { onFailure: 'block' }],
    ['that it runs in the background', { async: true }],
  ])(
    'ends when the definition changes: %s [contract.trust.definition-change]',
    async (_what, { matcher, ...fields }: Record<string, unknown>) => {
      const withFields = (extra: object, rest: object) => ({
        hooks: { PreToolUse: [{ ...rest, hooks: [{ type: 'command', command: 'true', ...extra }] }] },
      });
      project.settings(withFields({}, {}));
      await openAgreed();
      project.settings(withFields(fields, matcher === undefined ? {} : { matcher }));
      expect(await (await open()).state()).toEqual({ kind: 'modified' });
    },
  );

  it('does not move with the project, and knows two projects apart', async () => {
    project.settings('true');
    await openAgreed();
    const moved = join(project.root, '../elsewhere');
    renameSync(project.root, moved);
    const locations = { projectRoot: moved, home: project.home };
    const loaded = await loadSettings(locations);
    const trust = project.session({ locations });
    await trust.open({ loaded });
    expect(await trust.check(firstHook(loaded))).toEqual({ kind: 'untrusted' });
    await trust.agree(trust.review());
    renameSync(moved, project.root);
    expect(await (await open()).state()).toEqual(trusted);
  });

  it('is not needed with --trust-project-hooks, which freezes scripts all the same [contract.trust.ci-flag]', async () => {
    project.settings('./guard.sh');
    project.write('guard.sh', 'exit 0');
    const { state } = await open({ trustProjectHooks: true });
    expect(await state()).toEqual(trusted);
    project.write('guard.sh', 'exit 1');
    expect(await state()).toMatchObject({ kind: 'changed' });
    expect(await (await open()).state()).toEqual({ kind: 'untrusted' });
  });
});

/** How a command may name `guard/check.sh`. */
const spellings: readonly (readonly [string, string])[] = [
  ['a relative path', 'guard/check.sh --strict'],
  ['a quoted variable', '"$CODEY_PROJECT_DIR"/guard/check.sh'],
  ['a braced variable', '${KODER_PROJECT_DIR}/guard/check.sh'],
  ['a variable in a quoted word', 'python3 "${CODEY_PROJECT_DIR}/guard/check.sh"'],
  ['cd', 'cd guard && ./check.sh'],
  ['two cds', 'cd guard; (cd ../other); sh check.sh'],
  ['a variable in cd', 'cd "$CODEY_PROJECT_DIR/guard" && sh ./check.sh'],
  ['a line for a shell', `bash -c './guard/check.sh'`],
  ['a line in a line', `sh -c 'cd guard && sh -c "./check.sh"'`],
  ['a variable in a line', `sh -c '"$CODEY_PROJECT_DIR"/guard/check.sh'`],
  ['a wrapper', 'timeout 5 env A=1 nice ./guard/check.sh'],
  ['input', 'sh < guard/check.sh'],
  ['an option', 'node --require ./guard/check.sh main.js'],
  ['an option with a sign', 'tool --config=guard/check.sh'],
  ['env -C', 'env -C guard ./check.sh'],
  ['a pipe', 'cat guard/check.sh | sh'],
  ['a substitution', 'echo "$(cat guard/check.sh)"'],
  ['an unknown beginning', '"$(git rev-parse --show-toplevel)"/guard/check.sh'],
  ['up and down', 'guard/../guard/check.sh'],
];

describe('a script that a trusted hook names', () => {
  it.each(spellings)('is watched: %s [contract.trust.script-change]', async (_how, command) => {
    project.settings(command);
    project.write('guard/check.sh', 'exit 0');
    const { state } = await openAgreed();
    expect(await state()).toEqual(trusted);
    project.write('guard/check.sh', 'exit 1');
    expect(await state()).toEqual({
      kind: 'changed',
      what: 'check.sh changed since this session began; review',
    });
    expect(await (await open()).state()).toEqual({ kind: 'modified' });
    project.write('guard/check.sh', 'exit 0');
    expect(await (await open()).state()).toEqual(trusted);
  });

  it('is watched where a program is started without a shell [contract.trust.script-change]', async () => {
    const hook = { type: 'command', command: 'sh', args: ['guard/a b.sh', "it's"] };
    project.settings({ hooks: { PreToolUse: [{ hooks: [hook] }] } });
    project.write('guard/a b.sh', 'exit 0');
    const { state } = await openAgreed();
    project.write('guard/a b.sh', 'exit 1');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });

  it('is watched where PATH leads into the project [contract.trust.script-change]', async () => {
    project.settings('lint --all');
    project.write('bin/lint', '#!/bin/sh\n');
    const environment = { PATH: `node_modules/.bin:${project.root}/bin:/usr/bin:/bin` };
    const { state } = await openAgreed({ environment });
    expect(await state()).toEqual(trusted);
    project.write('node_modules/.bin/lint', '#!/bin/sh\n');
    expect(await state()).toEqual({
      kind: 'changed',
      what: 'lint appeared (and 1 more) since this session began; review',
    });
  });

  it('is watched where it only appears later', async () => {
    project.settings('test -f local.sh && sh local.sh');
    const { state } = await openAgreed();
    project.write('local.sh', 'exit 1');
    expect(await state()).toEqual({
      kind: 'changed',
      what: 'local.sh appeared since this session began; review',
    });
  });

  it('is missed when it vanishes [contract.reload.changed-guard-asks]', async () => {
    project.settings('./guard.sh');
    const guard = project.write('guard.sh', 'exit 0');
    const { state } = await openAgreed();
    unlinkSync(guard);
    expect(await state()).toEqual({
      kind: 'changed',
      what: 'guard.sh vanished since this session began; review',
    });
  });

  it('is not fooled by the same size and an old time [contract.trust.script-change]', async () => {
    project.settings('./guard.sh');
    const guard = project.write('guard.sh', 'exit 0');
    const past = new Date(Date.now() - 60_000);
    utimesSync(guard, past, past);
    const { state } = await openAgreed({ now: () => Date.now() + 10_000 });
    expect(await state()).toEqual(trusted);
    const { atime, mtime } = statSync(guard);
    writeFileSync(guard, 'exit 1');
    utimesSync(guard, atime, mtime);
    expect(await state()).toMatchObject({ kind: 'changed' });
  });

  it('is not fooled by a change within the same step of the clock', async () => {
    project.settings('./guard.sh');
    const guard = project.write('guard.sh', 'exit 0');
    const { state } = await openAgreed();
    for (let round = 0; round < 50; round++) {
      writeFileSync(guard, 'exit 1');
      expect(await state()).toMatchObject({ kind: 'changed' });
      writeFileSync(guard, 'exit 0');
      expect(await state()).toEqual(trusted);
    }
  });

  it('may be touched, and trusted again once it is as it was', async () => {
    project.settings('./guard.sh');
    const guard = project.write('guard.sh', 'exit 0');
    const { state } = await openAgreed();
    utimesSync(guard, new Date(), new Date());
    expect(await state()).toEqual(trusted);
  });

  it('answers at once while nothing changes', async () => {
    project.settings('./guard.sh');
    project.write('guard.sh', 'exit 0');
    const { trust, hook } = await openAgreed({ now: () => Date.now() + 10_000 });
    expect(trust.check(hook)).toEqual(trusted);
  });

  it('is not changed by what writers are told to write', async () => {
    project.settings('tee -a audit.log');
    const { state } = await openAgreed();
    project.write('audit.log', 'one line');
    expect(await state()).toEqual(trusted);
  });
});

describe('a hook that is no guard', () => {
  it('does not take back its own agreement by changing the file it names', async () => {
    project.settings({
      hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: 'sh tidy.sh src/a.txt' }] }] },
    });
    project.write('tidy.sh', 'tr a b < "$1"');
    project.write('src/a.txt', 'one');
    const { state } = await openAgreed();
    project.write('src/a.txt', 'two');
    expect(await state()).toEqual(trusted);
    project.write('tidy.sh', 'rm -rf "$1"');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });
});

describe('a guard that changed under a running session', () => {
  it.each([
    ['PreToolUse', { kind: 'ask', reasons: [{ text: 'guard.sh changed since this session began; review' }] }],
    ['PostToolUse', { kind: 'none' }],
  ] as const)(
    'of %s neither runs nor is passed over [contract.reload.changed-guard-asks]',
    async (event, verdict) => {
      project.settings({ hooks: { [event]: [{ hooks: [{ type: 'command', command: './guard.sh' }] }] } });
      project.write('guard.sh', 'exit 0');
      const { trust, hook } = await openAgreed();
      project.write('guard.sh', 'exit 1');
      const { engine, asked, notices } = testEngine(testSnapshot([hook as HookDefinition]), undefined, {
        trust,
      });
      const payload = { ...shellCall('ls'), result: '' } as never;
      const context = { ...testContext, workspace: project.root };
      expect((await engine.dispatch(event, payload, context)).verdict).toMatchObject(verdict);
      expect(asked).toEqual([]);
      expect(notices).toMatchObject([{ kind: 'held-back' }]);
    },
  );
});

describe('links', () => {
  it('notices another target, and another content of the target [contract.trust.script-change]', async () => {
    project.settings('./guard.sh');
    const good = project.write(join(project.home, 'good.sh'), 'exit 0');
    const bad = project.write(join(project.home, 'bad.sh'), 'exit 0');
    symlinkSync(good, join(project.root, 'guard.sh'));
    const { state } = await openAgreed();
    expect(await state()).toEqual(trusted);
    unlinkSync(join(project.root, 'guard.sh'));
    symlinkSync(bad, join(project.root, 'guard.sh'));
    expect(await state()).toMatchObject({ kind: 'changed' });
    unlinkSync(join(project.root, 'guard.sh'));
    symlinkSync(good, join(project.root, 'guard.sh'));
    expect(await state()).toEqual(trusted);
    project.write(good, 'exit 1');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });

  it('notices a folder on the way that leads elsewhere', async () => {
    project.settings('scripts/guard.sh');
    project.write('one/guard.sh', 'exit 0');
    project.write('two/guard.sh', 'exit 0');
    symlinkSync('one', join(project.root, 'scripts'));
    const { state } = await openAgreed();
    unlinkSync(join(project.root, 'scripts'));
    symlinkSync('two', join(project.root, 'scripts'));
    expect(await state()).toMatchObject({ kind: 'changed' });
  });

  it('follows a link from outside into the project', async () => {
    project.write('tools/guard.sh', 'exit 0');
    symlinkSync(join(project.root, 'tools'), join(project.home, 'tools'));
    project.settings(`${project.home}/tools/guard.sh`);
    const { state } = await openAgreed();
    project.write('tools/guard.sh', 'exit 1');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });

  it('reads `..` behind a link as the kernel does', async () => {
    project.write('deep/inner/x', '');
    project.write('deep/guard.sh', 'exit 0');
    symlinkSync('deep/inner', join(project.root, 'link'));
    project.settings('./link/../guard.sh');
    const { state } = await openAgreed();
    project.write('deep/guard.sh', 'exit 1');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });
});

describe('a folder of hooks', () => {
  it.each(['.codey/hooks', '.koder/hooks'])(
    '%s is covered whole [contract.trust.script-change]',
    async (folder) => {
      project.settings(`${folder}/guard.sh`);
      project.write(`${folder}/guard.sh`, '. ./lib/common.sh');
      project.write(`${folder}/lib/common.sh`, 'exit 0');
      const { trust, state } = await openAgreed();
      expect(trust.review().hooks[0]?.covered).toEqual([{ name: `${folder}/` }]);
      expect(await state()).toEqual(trusted);
      project.write(`${folder}/lib/common.sh`, 'exit 1');
      expect(await state()).toEqual({
        kind: 'changed',
        what: 'common.sh changed since this session began; review',
      });
      project.write(`${folder}/lib/common.sh`, 'exit 0');
      expect(await state()).toEqual(trusted);
      project.write(`${folder}/lib/added.sh`, '');
      expect(await state()).toEqual({
        kind: 'changed',
        what: 'added.sh appeared since this session began; review',
      });
    },
  );

  it('of a plugin in the repository is covered from its root', async () => {
    const root = join(project.root, '.codey/plugins/lint');
    project.write('.codey/plugins/lint/run.sh', 'exit 0');
    project.write('.codey/plugins/lint/lib/rules.js', '1');
    project.settings('"${KODER_SKILL_DIR}"/run.sh');
    const loaded = await project.load();
    const hook = firstHook(loaded) as HookDefinition;
    const ofPlugin: HookDefinition = {
      ...hook,
      source: { ...hook.source, scope: 'plugin', root, contributor: 'lint' },
    };
    const trust = project.session();
    const subject = {
      loaded: { ...loaded, files: [] },
      contributed: [{ policy: [ofPlugin], lifecycle: [] }],
    };
    await trust.open(subject);
    await trust.agree(trust.review());
    expect(await trust.check(ofPlugin)).toEqual(trusted);
    project.write('.codey/plugins/lint/lib/rules.js', '2');
    expect(await trust.check(ofPlugin)).toMatchObject({ kind: 'changed' });
  });

  it.each(['lib', '.git'])('covers what is named in it behind %s, where its listing stops', async (inner) => {
    project.settings(`.codey/hooks/${inner}/guard.sh`);
    project.write('elsewhere/guard.sh', 'exit 0');
    mkdirSync(join(project.root, '.codey/hooks'));
    symlinkSync('../../elsewhere', join(project.root, '.codey/hooks', inner));
    const { state } = await openAgreed();
    expect(await state()).toEqual(trusted);
    project.write('elsewhere/guard.sh', 'exit 1');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });

  it('that holds too much is covered in part, and says so', async () => {
    project.settings('.codey/hooks/guard.sh');
    project.write('.codey/hooks/guard.sh', '');
    mkdirSync(join(project.root, '.codey/hooks/many'));
    for (let index = 0; index < 1_001; index++)
      writeFileSync(join(project.root, `.codey/hooks/many/${index}`), '');
    const { trust, state } = await openAgreed();
    expect(trust.review().hooks[0]?.covered[0]?.note).toMatch(/more than 1,000 files/);
    expect(await state()).toEqual(trusted);
    project.write('.codey/hooks/guard.sh', 'changed');
    expect(await state()).toMatchObject({ kind: 'changed' });
  });
});

describe('what is no plain file', () => {
  it('is noted and never waited for', async () => {
    execFileSync('mkfifo', [join(project.root, 'pipe')]);
    writeFileSync(join(project.root, 'large.bin'), Buffer.alloc(9 * 1024 * 1024));
    symlinkSync('/dev/zero', join(project.root, 'zero'));
    mkdirSync(join(project.root, 'src'));
    project.settings('cat pipe zero large.bin src');
    const { trust, state } = await openAgreed();
    expect(trust.review().hooks[0]?.covered).toEqual([
      { name: 'pipe', note: 'it is a device, pipe or socket' },
      { name: 'zero', note: 'it is a device, pipe or socket' },
      { name: 'large.bin', note: 'it is larger than 8 MiB, so only its times are watched' },
    ]);
    project.write('src/new.ts', '');
    expect(await state()).toEqual(trusted);
    writeFileSync(join(project.root, 'large.bin'), Buffer.alloc(9 * 1024 * 1024, 1));
    expect(await state()).toEqual({
      kind: 'changed',
      what: 'large.bin changed since this session began; review',
    });
  });
});

describe('a worktree', () => {
  it('runs a hook only with the files that were agreed to', async () => {
    project.settings('./guard.sh "$CODEY_PROJECT_DIR"/lib.sh');
    project.write('guard.sh', 'exit 0');
    project.write('lib.sh', '');
    const worktree = join(project.home, 'worktree');
    project.write(join(worktree, 'guard.sh'), 'exit 0');
    project.write(join(worktree, 'lib.sh'), '');
    const { state } = await openAgreed();
    expect(await state(worktree)).toEqual(trusted);
    project.write(join(worktree, 'guard.sh'), 'exit 1');
    expect(await state(worktree)).toEqual({
      kind: 'changed',
      what: 'guard.sh changed in this worktree; review',
    });
    expect(await state()).toEqual(trusted);
  });

  it('does not hide a file of its own behind the root’s file of the same name', async () => {
    const worktree = join(project.root, '.codey/worktrees/one');
    project.settings(`sh ./guard.sh ${project.root}/guard.sh`);
    project.write('guard.sh', 'exit 0');
    project.write(join(worktree, 'guard.sh'), 'exit 1');
    const { state } = await openAgreed();
    expect(await state(worktree)).toMatchObject({ kind: 'changed' });
  });
});

describe('a reload in a session', () => {
  it('does not thaw a script that changed [contract.reload.changed-guard-asks]', async () => {
    project.settings('./guard.sh');
    project.write('guard.sh', 'exit 0');
    const { trust, state } = await openAgreed();
    project.write('guard.sh', 'exit 1');
    const review = await trust.open({ loaded: await project.load() });
    expect(review.hooks[0]?.standing).toEqual({ kind: 'modified', changes: ['guard.sh changed'] });
    expect(await state()).toMatchObject({ kind: 'changed' });
    await trust.agree(review);
    expect(await state()).toEqual(trusted);
  });
});

describe('the user’s own hooks', () => {
  it('may change, but a guard whose script vanished asks [contract.reload.changed-guard-asks]', async () => {
    const guard = project.write(join(project.home, 'guard.py'), 'pass');
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: `python3 ${guard}` }] }] };
    project.write(join(project.home, '.codey/settings.json'), JSON.stringify({ hooks }));
    const { state } = await open();
    project.write(guard, 'changed');
    expect(await state()).toEqual(trusted);
    unlinkSync(guard);
    expect(await state()).toEqual({
      kind: 'changed',
      what: `guard.py vanished since this session began (there is no ${guard}, which python3 was to run); review`,
    });
  });

  it('that never were whole are left to fail when they run', async () => {
    project.write(
      join(project.home, '.codey/settings.json'),
      '{"hooks": {"run_end": ["/nowhere/guard.sh"]}}',
    );
    expect(await (await open()).state()).toEqual(trusted);
  });
});

describe('other settings of a repository', () => {
  const content = {
    env: { PORT: '80' },
    permissions: { allow: ['run_shell(ls*)'], deny: ['run_shell(rm*)'] },
  };

  it('need agreement by file, and again when one changes', async () => {
    project.settings(content);
    const loaded = await project.load();
    const file = loaded.files[0]!;
    const trust = project.session();
    await trust.open({ loaded });
    expect(trust.agreed(file)).toBe(false);
    await trust.agree(trust.review());
    expect(trust.agreed(file)).toBe(true);

    project.settings({ ...content, model: 'anthropic/x' });
    const later = project.session();
    const changed = await project.load();
    const review = await later.open({ loaded: changed });
    expect(later.agreed(changed.files[0]!)).toBe(false);
    expect(review.settings[0]?.standing).toEqual({ kind: 'modified', changes: ['model appeared'] });
  });

  it('need none where they only take away', async () => {
    project.settings({ permissions: { deny: ['run_shell(rm*)'], ask: ['web_fetch'] } });
    const loaded = await project.load();
    const trust = project.session();
    expect((await trust.open({ loaded })).settings).toEqual([]);
    expect(trust.agreed(loaded.files[0]!)).toBe(true);
  });
});

describe('protected paths', () => {
  it('are settings, stores, scripts and definitions, under every name [contract.trust.files-protected]', async () => {
    project.settings('.codey/hooks/guard.sh && prettier --write .');
    project.write('.codey/hooks/guard.sh', '');
    const own = project.write(join(project.home, 'own.sh'), '');
    project.write(
      join(project.home, '.codey/settings.json'),
      JSON.stringify({ hooks: { run_end: [`sh '${own}'`] } }),
    );
    const skills = join(project.home, '.agents/skills');
    const { trust } = await open({ definitionFolders: [skills] });
    const paths = await trust.coveredPaths();
    expect(paths).toEqual(
      expect.arrayContaining([
        join(project.root, '.codey/settings.json'),
        join(project.root, '.koder/settings.local.json'),
        join(project.home, '.codey/settings.json'),
        join(project.home, '.codey/managed-settings.json'),
        join(project.home, '.codey/trust.json'),
        join(project.root, '.codey/hooks'),
        own,
        skills,
      ]),
    );
    expect(paths).not.toContain(project.root);
  });
});

it('keeps what it knows in a file that only the user can read', async () => {
  project.settings('true');
  await openAgreed();
  const file = join(project.home, '.codey/trust.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8')).projects[project.root].agreed).toHaveLength(1);
  rmSync(file);
  expect(await (await open()).state()).toEqual({ kind: 'untrusted' });
});
