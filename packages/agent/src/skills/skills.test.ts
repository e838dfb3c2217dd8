import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HookSnapshot } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolContext } from '../tools/tool.ts';
import { createGetSkill } from './get-skill.ts';
import { listSkills } from './listing.ts';
import { loadSkills, skillSizeLimit } from './load.ts';
import { parseSkill } from './parse.ts';
import { createSkillUse } from './use.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'skills-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const text = (name: string, more = '', body = 'Do it well.') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\n${body}\n`;

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

const load = () => loadSkills({ projectRoot: join(root, 'project'), home: join(root, 'home') });
const parse = (source: string, folder = 'herdr') =>
  parseSkill({
    text: source,
    file: `/skills/${folder}/SKILL.md`,
    directory: `/skills/${folder}`,
    fromRepository: false,
  });

describe('the text of a skill', () => {
  it('gives name, description and body', async () => {
    expect(
      await parse(
        '\ufeff---\r\nname: herdr\r\ndescription: "Drives panes."\r\nlicense: MIT\r\n---\r\n# How\r\n',
      ),
    ).toMatchObject({
      ok: true,
      skill: { name: 'herdr', description: 'Drives panes.', directory: '/skills/herdr' },
      body: '# How',
      warnings: [],
    });
  });

  it.each([
    ['a web page', '<!doctype html><html><body>Sign in</body></html>', /does not begin with a frontmatter/],
    ['an empty file', '', /does not begin with a frontmatter/],
    ['a frontmatter without an end', '---\nname: herdr\n', /does not begin with a frontmatter/],
    ['broken YAML', '---\nname: herdr\ndescription: "open\n---\n', /not YAML \(line 3\)/],
    ['a list for a frontmatter', '---\n- herdr\n---\n', /must hold fields/],
    ['no name', '---\ndescription: x\n---\n', /no "name"/],
    ['a name that is no name', '---\nname: Herdr Skill\ndescription: x\n---\n', /is not one: up to 64/],
    ['a name with a doubled hyphen', '---\nname: her--dr\ndescription: x\n---\n', /is not one/],
    ['the name of another folder', '---\nname: other\ndescription: x\n---\n', /its folder is called herdr/],
    ['no description', '---\nname: herdr\n---\n', /no "description"/],
    ['a description of spaces', '---\nname: herdr\ndescription: "  "\n---\n', /no "description"/],
    [
      'a description too long',
      `---\nname: herdr\ndescription: ${'x'.repeat(1025)}\n---\n`,
      /1025 characters/,
    ],
  ])('is refused with a reason: %s', async (_name, source, reason) => {
    const parsed = await parse(source);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(reason) });
  });

  it('refuses aliases that multiply', async () => {
    const bomb = Array.from(
      { length: 12 },
      (_, n) =>
        `k${n}: &a${n} [${
          n === 0
            ? 'x'
            : Array(9)
                .fill(`*a${n - 1}`)
                .join(',')
        }]`,
    );
    expect(await parse(`---\nname: herdr\ndescription: x\n${bomb.join('\n')}\n---\n`)).toMatchObject({
      ok: false,
    });
  });

  it('brings hooks of its own, placed where they stand; a bad one is a warning [contract.load.contributed-entry-warns]', async () => {
    const parsed = await parse(
      text(
        'herdr',
        'hooks:\n  PreToolUse:\n    - matcher: run_shell\n      hooks:\n        - {type: command, command: "exit 2"}\n  run_end: ["true"]\n  Nonsense: []\n',
      ),
    );
    if (!parsed.ok) throw new Error(parsed.message);
    expect(parsed.skill.hooks.policy).toMatchObject([
      {
        event: 'PreToolUse',
        handler: { command: 'exit 2' },
        source: {
          scope: 'skill',
          file: '/skills/herdr/SKILL.md',
          line: 8,
          root: '/skills/herdr',
          contributor: 'herdr',
        },
      },
    ]);
    expect(parsed.skill.hooks.lifecycle).toMatchObject([{ event: 'run_end', command: 'true' }]);
    expect(parsed.warnings).toEqual([
      {
        file: '/skills/herdr/SKILL.md',
        place: { line: 10, column: 3 },
        message: expect.stringMatching(
          /^unknown event "Nonsense" {2}\(.*\); this entry of the skill herdr does not count$/,
        ),
      },
    ]);
  });
});

describe('skills on disk', () => {
  it('are found in all five folders, the personal ones first [codey.skill.personal-folder]', async () => {
    await write('home/.agents/skills/one/SKILL.md', text('one'));
    await write('home/.codey/skills/two/SKILL.md', text('two'));
    await write('home/.koder/skills/three/SKILL.md', text('three'));
    await write('project/.codey/skills/four/SKILL.md', text('four'));
    await write('project/.koder/skills/five/SKILL.md', text('five'));
    const { skills, problems } = await load();
    expect(skills.map(({ name, fromRepository }) => [name, fromRepository])).toEqual([
      ['one', false],
      ['two', false],
      ['three', false],
      ['four', true],
      ['five', true],
    ]);
    expect(problems).toEqual([]);
  });

  it('are found as npx skills writes them: folders, or links to one folder [codey.skill.foreign-install-found]', async () => {
    await write('home/.agents/skills/herdr/SKILL.md', text('herdr'));
    await write('home/.agents/.skill-lock.json', '{}');
    await mkdir(join(root, 'home/.codey/skills'), { recursive: true });
    await symlink(join(root, 'home/.agents/skills/herdr'), join(root, 'home/.codey/skills/herdr'));
    const { skills, problems } = await load();
    expect(skills.map(({ file }) => file)).toEqual([join(root, 'home/.agents/skills/herdr/SKILL.md')]);
    expect(problems).toEqual([]);
  });

  it('are named and skipped when they cannot be used, and hide no other', async () => {
    await write('home/.agents/skills/good/SKILL.md', text('good'));
    await write('home/.agents/skills/page/SKILL.md', '<html>');
    await write('home/.agents/skills/empty/README.md', '');
    await write('home/.agents/skills/large/SKILL.md', text('large') + 'x'.repeat(skillSizeLimit));
    await mkdir(join(root, 'home/.agents/skills/folder/SKILL.md'), { recursive: true });
    await writeFile(join(root, 'home/.agents/skills/README.md'), 'not a skill');
    await mkdir(join(root, 'home/.agents/skills/latin'));
    await writeFile(join(root, 'home/.agents/skills/latin/SKILL.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0xe9]));
    const { skills, problems } = await load();
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(problems.map(({ file, message }) => [file.split('/').at(-2), message.split(':')[0]])).toEqual([
      ['empty', 'it is missing'],
      ['folder', 'it is not a regular file'],
      ['large', 'it is larger than 256 KiB'],
      ['latin', 'it is not UTF-8 text'],
      ['page', 'it does not begin with a frontmatter'],
    ]);
  });

  it('of a repository take no name of a personal one and lead nowhere outside', async () => {
    await write('home/.agents/skills/herdr/SKILL.md', text('herdr'));
    await write('project/.codey/skills/herdr/SKILL.md', text('herdr'));
    await write('secrets/SKILL.md', text('secrets'));
    await symlink(join(root, 'secrets'), join(root, 'project/.codey/skills/secrets'));
    const { skills, problems } = await load();
    expect(skills.map(({ name, fromRepository }) => [name, fromRepository])).toEqual([['herdr', false]]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^there is already a skill of this name: .*\.agents/),
      'it leads out of the repository',
    ]);
  });

  it('are none where there are no folders', async () => {
    expect(await load()).toEqual({ skills: [], problems: [] });
    expect(listSkills([])).toBe('');
  });
});

describe('skills in a session', () => {
  const bare = { policy: [], lifecycle: [], switches: {} } as unknown as HookSnapshot;

  async function session() {
    await write('home/.agents/skills/guard/SKILL.md', text('guard', 'hooks: {run_end: ["true"]}\n'));
    await write('home/.agents/skills/plain/SKILL.md', text('plain'));
    const { skills } = await load();
    let snapshot = bare;
    const engine = {
      get snapshot() {
        return snapshot;
      },
      use: (next: HookSnapshot) => {
        snapshot = next;
      },
    };
    return { skills, engine, use: createSkillUse({ skills, projectRoot: join(root, 'project'), engine }) };
  }

  it('are listed with what they are for [codey.skill.listed-next-start]', async () => {
    const { skills } = await session();
    expect(listSkills(skills)).toContain('<skills>\n- guard: Does guard.\n- plain: Does plain.\n</skills>');
  });

  it('bring their hooks with their use and take them along at the end of the run [koder.scope.skill-frontmatter] [koder.scope.skill-only-then]', async () => {
    const { use, engine } = await session();
    expect(engine.snapshot.lifecycle).toEqual([]);
    await use.use('guard');
    await use.use('guard');
    expect(engine.snapshot.lifecycle).toMatchObject([{ event: 'run_end', source: { scope: 'skill' } }]);
    use.rebase({ ...bare, lifecycle: [] });
    expect(engine.snapshot.lifecycle).toHaveLength(1);
    use.endRun();
    expect(engine.snapshot.lifecycle).toEqual([]);
    expect(use.active()).toEqual([]);
  });

  it('are read when they are used, as they are then', async () => {
    const { use } = await session();
    await write('home/.agents/skills/plain/SKILL.md', text('plain', '', 'The new way.'));
    expect(await use.use('plain')).toEqual({
      kind: 'used',
      text: `<skill name="plain" folder="${join(root, 'home/.agents/skills/plain')}">\nThe new way.\n</skill>`,
    });
  });

  it('are invoked by name in a prompt, with the rest of it behind [codey.skill.invoked-like-others]', async () => {
    const { use } = await session();
    expect(await use.expand('/plain  twice,\nplease ')).toMatch(
      /^<skill name="plain"[\s\S]*<\/skill>\n\ntwice,\nplease$/,
    );
    expect(await use.expand('/plain')).toMatch(/<\/skill>$/);
    for (const prompt of ['/unknown x', 'use /plain', '/usr/bin/env', 'hello'])
      expect(await use.expand(prompt)).toBe(prompt);
    await rm(join(root, 'home/.agents/skills/plain'), { recursive: true });
    expect(await use.expand('/plain x')).toBe(
      '/plain x\n\n(The skill plain could not be read: it is missing.)',
    );
  });

  it('are loaded by get_skill, which helps with a name that is none', async () => {
    const { use } = await session();
    const tool = createGetSkill(use);
    const call = (name: string) => tool.run({ name }, {} as ToolContext);
    expect(await call('plain')).toMatchObject({ kind: 'ok', output: expect.stringContaining('Do it well.') });
    expect(await call('plainn')).toMatchObject({
      kind: 'failed',
      output: 'There is no skill plainn. Did you mean plain?',
    });
    expect(await call('zzzzzzzz')).toMatchObject({
      kind: 'failed',
      output: 'There is no skill zzzzzzzz. There are: guard, plain.',
    });
    await rm(join(root, 'home/.agents/skills/plain'), { recursive: true });
    expect(await call('plain')).toMatchObject({
      kind: 'failed',
      output: 'The skill plain cannot be used: it is missing.',
    });
  });
});
