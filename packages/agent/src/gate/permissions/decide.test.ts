import {
  type CallSubject,
  describeCall,
  type PermissionMode,
  parseRule,
  type PlacedRule,
} from '@codey/hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access } from '../../tools/tool.ts';
import { type CallFacts, decide, type Permission } from './decide.ts';

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

function placed(text: string, line: number): PlacedRule {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.message);
  const source = { scope: 'user', file: 'settings.json', line, column: 1, fromRepository: false } as const;
  return { rule: parsed.rule, source };
}

interface Case {
  readonly mode?: PermissionMode;
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly allow?: readonly string[];
  readonly hook?: CallFacts['hook']['kind'];
  readonly protectedPath?: string;
}

const tools: Readonly<Record<string, readonly [Access, CallSubject]>> = {
  read_file: ['read', { kind: 'path', path: 'src/a.ts' }],
  'read_file outside': ['read', { kind: 'path', path: '/etc/passwd' }],
  edit_file: ['edit', { kind: 'path', path: 'src/a.ts' }],
  'edit_file outside': ['edit', { kind: 'path', path: '/etc/passwd' }],
  web_fetch: ['network', { kind: 'url', url: 'https://example.com' }],
  todo_write: ['free', { kind: 'none' }],
};

/** `what` is a row of `tools`, or a command line. */
async function judge(what: string, given: Case = {}): Promise<Permission> {
  const [access, subject] = tools[what] ?? ['execute', { kind: 'command', line: what }];
  const name = tools[what] === undefined ? 'run_shell' : (what.split(' ')[0] ?? '');
  const world = { workspace: '/work/project', cwd: '/work/project', realpath: async (path: string) => path };
  const rules = (texts: readonly string[] = []) => texts.map((text, at) => placed(text, at + 1));
  return decide({
    mode: given.mode ?? 'default',
    tool: { name, access },
    view: await describeCall(name, subject, world),
    rules: { deny: rules(given.deny), ask: rules(given.ask), allow: rules(given.allow) },
    hook: { kind: given.hook ?? 'none', reason: 'the hook says so' },
    protectedPath: given.protectedPath,
    cwd: world.cwd,
    roots: [world.workspace],
    ownGit: () => true,
    leadsInside: () => true,
    isFolder: () => false,
  });
}

describe('what each mode lets run', () => {
  it.each([
    ['read_file', 'allow allow allow allow allow'],
    ['read_file outside', 'ask ask ask ask allow'],
    ['edit_file', 'ask allow deny ask allow'],
    ['edit_file outside', 'ask ask deny ask allow'],
    ['web_fetch', 'ask ask deny ask allow'],
    ['todo_write', 'allow allow allow allow allow'],
    ['ls src', 'allow allow allow allow allow'],
    ['make', 'ask ask deny ask allow'],
    ['ls && make', 'ask ask deny ask allow'],
    ['ls > out', 'ask ask deny ask allow'],
    ['cat $X', 'ask ask deny ask allow'],
  ])(
    '%s: default, acceptEdits, plan, dontAsk, bypassPermissions: %s [contract.mode.plan-only-reads]',
    async (what, expected) => {
      const kinds = await Promise.all(modes.map(async (mode) => (await judge(what, { mode })).kind));
      expect(kinds.join(' ')).toBe(expected);
    },
  );

  it('says whether anybody agreed to the call or its kind lets it run', async () => {
    expect(await judge('ls')).toEqual({ kind: 'allow', by: 'reading command', agreed: false });
    expect(await judge('read_file')).toEqual({ kind: 'allow', by: 'mode default', agreed: false });
    expect(await judge('make', { allow: ['run_shell(make*)'] })).toEqual({
      kind: 'allow',
      by: 'allow rule',
      agreed: true,
    });
    expect(await judge('make', { hook: 'allow' })).toEqual({ kind: 'allow', by: 'PreToolUse', agreed: true });
  });

  it('an ask by mode may be answered by a hook or an earlier yes', async () => {
    expect(await judge('make')).toEqual({
      kind: 'ask',
      by: 'mode default',
      reason: 'run_shell needs approval in mode default',
      humanOnly: false,
      rememberable: true,
    });
  });
});

describe('plan mode', () => {
  it.each([
    ['an allow rule', { allow: ['*'] }],
    ["a hook's allow", { hook: 'allow' }],
    ['both', { allow: ['run_shell(make)'], hook: 'allow' }],
    ['an ask rule', { ask: ['run_shell'] }],
    ["a hook's ask", { hook: 'ask' }],
  ] as const)('is not lifted by %s [contract.mode.plan-only-reads]', async (_, given) => {
    expect(await judge('make', { mode: 'plan', ...given })).toEqual({
      kind: 'deny',
      by: 'mode plan',
      reason: 'in mode plan only reading runs, and run_shell may do more',
    });
  });

  it('still asks where reading is guarded', async () => {
    expect(await judge('read_file', { mode: 'plan', ask: ['read_file(src/*)'] })).toMatchObject({
      kind: 'ask',
      humanOnly: true,
    });
  });
});

describe('guards hold in every mode', () => {
  it.each(modes)(
    'mode %s: a deny rule denies, also under an allow of hook and rule [contract.merge.rules-beat-hooks]',
    async (mode) => {
      const given = {
        mode,
        deny: ['run_shell(x*)', 'run_shell(git push*)'],
        allow: ['run_shell'],
        hook: 'allow',
      } as const;
      expect(await judge('ls && git push', given)).toEqual({
        kind: 'deny',
        by: 'deny rule',
        reason: 'denied by rule "run_shell(git push*)" (settings.json:2)',
      });
    },
  );

  it.each(modes)("mode %s: a hook's deny denies [contract.mode.bypass-keeps-guards]", async (mode) => {
    expect(await judge('ls', { mode, hook: 'deny' })).toEqual({
      kind: 'deny',
      by: 'PreToolUse',
      reason: 'the hook says so',
    });
  });

  it.each(modes)(
    'mode %s: an ask rule asks, also under an allow [contract.merge.rules-beat-hooks]',
    async (mode) => {
      const given = { mode, ask: ['read_file'], allow: ['read_file'], hook: 'allow' } as const;
      expect(await judge('read_file', given)).toEqual({
        kind: 'ask',
        by: 'ask rule',
        reason: 'rule "read_file" (settings.json:1) asks',
        humanOnly: true,
        rememberable: true,
      });
    },
  );

  it.each(modes)("mode %s: a hook's ask asks a human [contract.mode.bypass-keeps-guards]", async (mode) => {
    expect(await judge('ls', { mode, hook: 'ask', allow: ['run_shell'] })).toMatchObject({
      kind: 'ask',
      by: 'PreToolUse',
      humanOnly: true,
    });
  });

  it.each(modes)(
    'mode %s: a protected path asks each time [contract.trust.files-protected]',
    async (mode) => {
      const given = {
        mode,
        protectedPath: '.codey is protected',
        allow: ['read_file'],
        hook: 'allow',
      } as const;
      expect(await judge('read_file', given)).toEqual({
        kind: 'ask',
        by: 'protected path',
        reason: '.codey is protected',
        humanOnly: true,
        rememberable: false,
      });
    },
  );

  it('every reason to ask is said', async () => {
    expect(
      await judge('ls', { protectedPath: 'a is protected', hook: 'ask', ask: ['run_shell'] }),
    ).toMatchObject({
      reason: 'a is protected; the hook says so; rule "run_shell" (settings.json:1) asks',
    });
  });
});

describe('what is not known counts as a match for guards and never for an allow', () => {
  it.each(['git $X', '$X', 'curl x | sh', 'f() { git "$@"; }; f push'])(
    '%s [contract.if.unknown-runs] [contract.if.allow-covers-all]',
    async (line) => {
      expect((await judge(line, { deny: ['run_shell(git push*)'] })).kind).toBe('deny');
      expect((await judge(line, { ask: ['run_shell(git push*)'], mode: 'bypassPermissions' })).kind).toBe(
        'ask',
      );
      expect(
        (await judge(line, { allow: ['run_shell(git*)', 'run_shell(curl*)', 'run_shell(f*)'] })).kind,
      ).toBe('ask');
    },
  );

  it('says what could not be told', async () => {
    expect(await judge('git $X', { deny: ['run_shell(git push*)'] })).toMatchObject({
      reason:
        'denied by rule "run_shell(git push*)" (settings.json:1), which may fit: part of the call is known only when it runs',
    });
  });

  it('a rule that surely fits is named before one that may', async () => {
    expect(
      await judge('git push $X', { deny: ['run_shell(git push origin)', 'run_shell(git push*)'] }),
    ).toMatchObject({
      reason: 'denied by rule "run_shell(git push*)" (settings.json:2)',
    });
  });
});

describe('allow rules', () => {
  it.each([
    ['git add . && git commit', ['run_shell(git add*)', 'run_shell(git commit*)']],
    ['cd src && npm test', ['run_shell(npm test)']],
    ['make 2>&1 | tail -5', ['run_shell(make*)']],
    ['edit_file', ['edit_file(src/*)']],
    ['web_fetch', ['web_fetch(https://example.com*)']],
    ['anything at all "', ['run_shell']],
  ])('%s runs by them', async (what, allow) => {
    expect(await judge(what, { allow })).toMatchObject({ kind: 'allow', by: 'allow rule' });
  });

  it.each([
    ['git add . && make', ['run_shell(git add*)'], ' (allow ignored: covers 1 of 2 commands)'],
    ['echo x > src/a.ts', ['run_shell(echo *)'], ' (allow ignored: the line also writes src/a.ts)'],
    ['make', ['run_shell(git*)'], ''],
  ])(
    '%s does not run by %j, and the reason says why [contract.if.allow-covers-all]',
    async (what, allow, said) => {
      expect(await judge(what, { allow })).toMatchObject({
        kind: 'ask',
        reason: `run_shell needs approval in mode default${said}`,
      });
    },
  );
});

it('whatever else is said, a deny denies and an ask is never less [contract.merge.rules-beat-hooks]', async () => {
  const facts = fc.record({
    mode: fc.constantFrom(...modes),
    allow: fc.constantFrom([], ['run_shell'], ['*']),
    hook: fc.constantFrom('none', 'allow', 'ask', 'deny'),
    protectedPath: fc.constantFrom(undefined, 'x is protected'),
  });
  const line = fc.constantFrom(
    'ls',
    'make',
    'ls; git push',
    'read_file',
    'edit_file outside',
    'todo_write',
    '$X',
  );
  await fc.assert(
    fc.asyncProperty(facts, line, async ({ protectedPath, ...given }, what) => {
      const all = { ...given, ...(protectedPath !== undefined && { protectedPath }) };
      expect((await judge(what, { ...all, deny: ['*'] })).kind).toBe('deny');
      expect((await judge(what, { ...all, ask: ['*'] })).kind).not.toBe('allow');
    }),
  );
});
