import { unknownPart } from '@codey/hooks';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { builtInTools } from './built-in.ts';
import { createToolRegistry, inputJsonSchema, runsSideBySide } from './registry.ts';
import { subjectOfCall } from './subject.ts';
import { defineTool, type Tool } from './tool.ts';

const registry = createToolRegistry(builtInTools);

/** Name, access, fields; the names are a promise to hooks and rules. */
const expected: readonly (readonly [string, Tool['access'], readonly string[], readonly string[]])[] = [
  ['read_file', 'read', ['path', 'offset', 'limit'], ['path']],
  ['write_file', 'edit', ['path', 'content'], ['path', 'content']],
  [
    'edit_file',
    'edit',
    ['path', 'old_string', 'new_string', 'replace_all'],
    ['path', 'old_string', 'new_string'],
  ],
  ['list_directory', 'read', ['path'], []],
  ['glob_search', 'read', ['pattern', 'path'], ['pattern']],
  ['grep_search', 'read', ['pattern', 'path', 'glob', 'ignore_case', 'context'], ['pattern']],
  ['run_shell', 'execute', ['command', 'cwd', 'timeout', 'background'], ['command']],
  ['shell_output', 'free', ['id', 'wait'], ['id']],
  ['shell_kill', 'free', ['id'], ['id']],
  ['web_fetch', 'network', ['url', 'offset'], ['url']],
  ['ask_user', 'free', ['questions'], ['questions']],
  ['todo_write', 'free', ['todos'], ['todos']],
];

describe('the built-in tools', () => {
  it('have these names, kinds of access and fields', () => {
    const actual = registry.list().map((tool) => {
      const schema = inputJsonSchema(tool) as { properties: object; required?: readonly string[] };
      return [tool.name, tool.access, Object.keys(schema.properties), schema.required ?? []];
    });
    expect(actual).toEqual(expected);
  });

  it('describe themselves and every field to the model', () => {
    for (const { name, description, inputSchema } of registry.declarations()) {
      expect(description, name).toMatch(/^[A-Z].{20,}/);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(inputSchema, name).not.toHaveProperty('$schema');
      for (const [field, schema] of Object.entries(inputSchema.properties as Record<string, object>)) {
        if (field !== 'questions' && field !== 'todos')
          expect(schema, `${name} ${field}`).toHaveProperty('description');
      }
    }
  });

  it('run side by side only where they change nothing and ask nobody', () => {
    expect(builtInTools.filter(runsSideBySide).map(({ name }) => name)).toEqual([
      'read_file',
      'list_directory',
      'glob_search',
      'grep_search',
      'web_fetch',
    ]);
  });

  const subjects: readonly (readonly [string, object, object])[] = [
    ['read_file', { path: 'a' }, { kind: 'path', path: 'a' }],
    ['write_file', { path: 'a', content: '' }, { kind: 'path', path: 'a' }],
    ['edit_file', { path: 'a', old_string: 'b', new_string: 'c' }, { kind: 'path', path: 'a' }],
    ['list_directory', {}, { kind: 'path', path: '.' }],
    ['glob_search', { pattern: '*', path: 'src' }, { kind: 'path', path: 'src' }],
    ['grep_search', { pattern: 'x' }, { kind: 'path', path: '.' }],
    ['grep_search', { pattern: 'x', glob: '*.ts' }, { kind: 'path', path: '.' }],
    [
      'grep_search',
      { pattern: 'x', glob: './secrets/**' },
      { kind: 'path', path: '.', below: `secrets/${unknownPart}` },
    ],
    ['glob_search', { pattern: 'a/{b,c}.ts' }, { kind: 'path', path: '.', below: `a/${unknownPart}.ts` }],
    ['run_shell', { command: 'ls' }, { kind: 'command', line: 'ls' }],
    ['web_fetch', { url: 'https://example.com' }, { kind: 'url', url: 'https://example.com' }],
    ['todo_write', { todos: [] }, { kind: 'none' }],
    ['read_file', { path: 5 }, { kind: 'none' }],
    ['mcp__server__tool', { path: 'a' }, { kind: 'path', path: 'a' }],
  ];
  it.each(subjects)('test the right argument: %s %j [koder.if.path-argument]', (name, input, subject) => {
    expect(subjectOfCall(name, { ...input })).toEqual(subject);
  });
});

describe('a registry', () => {
  const foreign = defineTool({
    name: 'mcp__server__search',
    description: 'Searches.',
    input: v.looseObject({}),
    inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
    access: 'network',
    subject: () => ({ kind: 'none' }),
    run: async () => ({ kind: 'ok', output: '' }),
  });

  it('shows a schema from elsewhere as it came', () => {
    expect(createToolRegistry([foreign]).declarations()).toEqual([
      { name: 'mcp__server__search', description: 'Searches.', inputSchema: foreign.inputSchema },
    ]);
  });

  it('declares the same each time', () => {
    expect(registry.declarations()).toBe(registry.declarations());
  });

  it('names what was probably meant by an unknown name', () => {
    expect(registry.get('read_file')?.name).toBe('read_file');
    expect(registry.get('Read')).toBeUndefined();
    expect(registry.explainUnknown('readfile')).toBe('There is no tool readfile. Did you mean read_file?');
    expect(createToolRegistry([foreign]).explainUnknown('x')).toBe(
      'There is no tool x. There are: mcp__server__search.',
    );
  });

  it('refuses two tools of one name', () => {
    expect(() => createToolRegistry([foreign, foreign, { ...foreign }])).toThrow(
      'Two tools are named mcp__server__search.',
    );
  });
});
