import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadDefinitions } from './load-definitions.ts';

let root: string;
let project: string;
let home: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'definitions-')));
  project = join(root, 'project');
  home = join(root, 'home');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

const load = (more: object = {}) =>
  loadDefinitions({ projectRoot: project, home, mayChooseModel: false, ...more });

const agent = (frontmatter: string, body = '') => `---\n${frontmatter}\n---\n${body}\n`;

/** Without the folder of this test. */
const said = (notices: readonly string[]) => notices.map((notice) => notice.replaceAll(`${root}/`, ''));

describe('agent definitions', () => {
  it('are read with everything they say', async () => {
    write(
      'home/.codey/agents/reviewer.md',
      agent(
        [
          'name: reviewer',
          'description: Looks for mistakes.',
          'tools: read_file, grep_search, mcp__wiki__search',
          'model: anthropic/some-model',
          'isolation: worktree',
          'permissionMode: acceptEdits',
          'hooks:',
          '  PreToolUse:',
          '    - matcher: run_shell',
          '      hooks: [{type: command, command: ./guard.sh}]',
          '  blocked: ["notify-send blocked"]',
        ].join('\n'),
        'You review.\n\n---\nThoroughly.',
      ),
    );
    const { definitions, notices } = await load();
    expect(notices).toEqual([]);
    const file = join(home, '.codey/agents/reviewer.md');
    expect(definitions.get('reviewer')).toMatchObject({
      name: 'reviewer',
      description: 'Looks for mistakes.',
      role: 'You review.\n\n---\nThoroughly.',
      tools: ['read_file', 'grep_search', 'mcp__wiki__search'],
      model: 'anthropic/some-model',
      isolation: 'worktree',
      mode: 'acceptEdits',
      file,
      hooks: {
        policy: [
          { event: 'PreToolUse', source: { file, line: 11, fromRepository: false, contributor: 'reviewer' } },
        ],
        lifecycle: [{ event: 'blocked', command: 'notify-send blocked', source: { file, line: 12 } }],
      },
    });
  });

  it('are found in all four folders, named after their files, beside the one that is built in', async () => {
    write('project/.codey/agents/one.md', 'Only a role.');
    write('project/.koder/agents/two.md', agent('description: two'));
    write('home/.codey/agents/three.md', agent(''));
    write('home/.koder/agents/four.md', agent('# nothing but a comment'));
    write('home/.koder/agents/notes.txt', 'no definition');
    const { definitions, notices } = await load();
    expect([...definitions.keys()]).toEqual(['one', 'two', 'three', 'four', 'general']);
    expect(definitions.get('one')).toMatchObject({ role: 'Only a role.', description: '' });
    expect(notices).toEqual([]);
  });

  it('of one name are the nearest, and the user is told of the other', async () => {
    write('project/.codey/agents/b.md', agent('name: reviewer\ndescription: near'));
    write('project/.codey/agents/c.md', agent('name: reviewer\ndescription: same folder'));
    write('home/.codey/agents/reviewer.md', agent('description: far'));
    const { definitions, notices } = await load();
    expect(definitions.get('reviewer')?.description).toBe('near');
    expect(said(notices)).toEqual([
      'project/.codey/agents/c.md is not used: project/.codey/agents/b.md defines the agent reviewer and comes first',
      'home/.codey/agents/reviewer.md is not used: project/.codey/agents/b.md defines the agent reviewer and comes first',
    ]);
  });

  it('may take the place of the one that is built in', async () => {
    write('home/.codey/agents/general.md', agent('description: mine'));
    expect((await load()).definitions.get('general')?.description).toBe('mine');
  });

  it.each<[string, string, string]>([
    ['an open frontmatter', '---\nname: x', '1:1  the frontmatter is not closed  (end it with a line "---")'],
    ['broken YAML', agent('tools: [a'), '2:'],
    ['a list on top', agent('- a'), 'must be keys with values'],
    ['a name that is none', agent('name: "two words"'), '2:1  "two words" cannot be the name of an agent'],
    ['a path for a name', agent('name: ../../etc'), 'cannot be the name of an agent'],
    ['a name of codey itself', agent('name: main'), '2:1  the name "main" is taken by codey itself'],
    ['an empty description', agent('description: ""'), '"description" is empty'],
    [
      'a misspelled tool',
      agent('description: x\ntools: [read_fil]'),
      '3:1  "tools" names "read_fil", which is no tool  (did you mean read_file?)',
    ],
    ['tools that are no names', agent('tools: {a: 1}'), '"tools" must be names of tools'],
    [
      'an unknown mode',
      agent('permissionMode: yolo'),
      '"permissionMode" is "yolo"  (it can be plan, dontAsk, default',
    ],
    ['an unknown isolation', agent('isolation: container'), '"isolation" is "container"'],
    ['a bad hook', agent('hooks:\n  PreTool: []'), '3:3  unknown event "PreTool"'],
    [
      'a hook that would not compile',
      agent('hooks: {PreToolUse: [{matcher: "(", hooks: []}]}'),
      '2:23  matcher "(" is not a regular expression',
    ],
  ])('with %s are named with their place and skipped', async (_, text, problem) => {
    write('project/.codey/agents/bad.md', text);
    write('project/.codey/agents/good.md', agent('description: fine'));
    const { definitions, notices } = await load();
    expect([...definitions.keys()]).toEqual(['good', 'general']);
    const told = said(notices).join('\n');
    expect(told).toContain('project/.codey/agents/bad.md:');
    expect(told).toContain(problem);
    expect(told).toContain('this agent is not used');
  });

  it('that cannot be read are named and skipped', async () => {
    mkdirSync(join(project, '.codey/agents/folder.md'), { recursive: true });
    symlinkSync('/nowhere/at/all', join(project, '.codey/agents/link.md'));
    write('project/.codey/agents/huge.md', 'x'.repeat(300 * 1024));
    const { definitions, notices } = await load();
    expect([...definitions.keys()]).toEqual(['general']);
    expect(notices).toHaveLength(3);
  });

  it("of a repository choose no model and no loose mode; their hooks are the repository's [contract.agent.never-looser]", async () => {
    write(
      'project/.codey/agents/x.md',
      agent('model: openai/dear\npermissionMode: bypassPermissions\nhooks: {run_end: ["date"]}'),
    );
    const { definitions, notices } = await load();
    expect(definitions.get('x')).not.toHaveProperty('model');
    expect(definitions.get('x')).not.toHaveProperty('mode');
    expect(definitions.get('x')?.hooks.lifecycle[0]?.source.fromRepository).toBe(true);
    expect(said(notices)).toEqual([
      expect.stringContaining("x.md:2:1  a repository's agent does not choose a model"),
      expect.stringContaining("x.md:3:1  a repository's agent does not run in mode bypassPermissions"),
    ]);
    const agreed = await load({ mayChooseModel: true });
    expect(agreed.definitions.get('x')?.model).toBe('openai/dear');
  });

  it('may tighten the mode wherever they come from', async () => {
    write('project/.codey/agents/x.md', agent('permissionMode: plan'));
    expect((await load()).definitions.get('x')?.mode).toBe('plan');
  });

  it('of the user stay so where the home directory is the project', async () => {
    write('home/.codey/agents/mine.md', agent('model: openai/x'));
    const { definitions, notices } = await load({ projectRoot: home });
    expect(definitions.get('mine')?.model).toBe('openai/x');
    expect(notices).toEqual([]);
  });

  it('say which keys are not read', async () => {
    write('project/.codey/agents/x.md', agent('color: red\npermission_mode: plan'));
    expect(said((await load()).notices)).toEqual([
      expect.stringContaining('x.md:2:1  "color" is not read'),
      'project/.codey/agents/x.md:3:1  "permission_mode" is not read  (did you mean permissionMode?)',
    ]);
  });
});
