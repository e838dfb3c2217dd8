import { describe, expect, it } from 'vitest';
import { parseScript } from './script-file.ts';

const nothing = { calls: [], delayMs: 0, usage: { input: 0, output: 0 } };

describe('a script', () => {
  const main = [
    { ...nothing, text: 'I will look.', calls: [{ tool: 'run_shell', input: { command: 'echo hi' } }] },
    { ...nothing, text: 'done', delayMs: 5, usage: { input: 3, output: 1 } },
    { ...nothing, text: '', error: 'Overloaded' },
  ];
  const list = `
- text: I will look.
  calls:
    - tool: run_shell
      input: {command: "echo hi"}
- text: done
  delay_ms: 5
  usage: {input: 3, output: 1}
- error: Overloaded
`;

  it.each([
    ['a YAML list', list],
    ['YAML under main', `main:${list.replaceAll('\n', '\n  ')}`],
    ['a JSON list', JSON.stringify(written())],
    ['JSON under main', JSON.stringify({ main: written() }, null, 2)],
  ])('may be %s', async (_, text) => {
    expect(await parseScript('story', text)).toEqual({ kind: 'script', script: { main, agents: new Map() } });
  });

  it('holds a list for each agent', async () => {
    const text = 'main:\n  - text: go\nagents:\n  reviewer:\n    - text: looks fine\n  tester:\n';
    expect(await parseScript('story', text)).toEqual({
      kind: 'script',
      script: {
        main: [{ ...nothing, text: 'go' }],
        agents: new Map([
          ['reviewer', [{ ...nothing, text: 'looks fine' }]],
          ['tester', []],
        ]),
      },
    });
  });

  function written(): unknown[] {
    return [
      { text: 'I will look.', calls: [{ tool: 'run_shell', input: { command: 'echo hi' } }] },
      { text: 'done', delay_ms: 5, usage: { input: 3, output: 1 } },
      { error: 'Overloaded' },
    ];
  }
});

describe('a problem names its place and what was meant', () => {
  it.each([
    ['- txt: hello', ['story.yaml:1:3  unknown key "txt"  (did you mean text?)']],
    ['- text: a\n  delay: 5', ['story.yaml:2:3  unknown key "delay"  (did you mean delay_ms?)']],
    ['mian:\n  - text: a', ['story.yaml:1:1  unknown key "mian"  (did you mean main?)']],
    ['- text: 42', ['story.yaml:1:9  text must be text, not a number  (put it in quotes)']],
    [
      '- hello',
      [
        'story.yaml:1:3  an answer must be a map with text, calls, error, delay_ms, usage, not text  (did you mean "- text: …"?)',
      ],
    ],
    [
      'main:\n  text: hello',
      ['story.yaml:2:3  main must be a list of answers, not a map  (put "- " before each answer)'],
    ],
    [
      '- calls:\n    tool: run_shell',
      ['story.yaml:2:5  calls must be a list, not a map  (put "- " before each "tool:")'],
    ],
    [
      '- calls:\n    - input: {}',
      ['story.yaml:2:7  the call does not say which tool  (add "tool: run_shell" or another tool)'],
    ],
    [
      '- calls:\n    - tool: run_shell\n      input: ls',
      ['story.yaml:3:14  input must be a map of arguments, not text'],
    ],
    ['- delay_ms: -1', ['story.yaml:1:13  delay_ms must be a whole number from 0, not -1']],
    ['- usage: {input: many}', ['story.yaml:1:18  input must be a whole number from 0, not text']],
    ['- usage: {inptu: 1}', ['story.yaml:1:11  unknown key "inptu"  (did you mean input?)']],
    ['agents: [reviewer]', ['story.yaml:1:9  agents must map names to lists of answers, not a list']],
    [
      'hello',
      [
        'story.yaml:1:1  a script is a list of answers or a map with main and agents, not text  (the smallest script is "- text: hello")',
      ],
    ],
    [
      '',
      [
        'story.yaml:1:1  a script is a list of answers or a map with main and agents, not nothing  (the smallest script is "- text: hello")',
      ],
    ],
    [
      '- txt: a\n- text: b\n  calls: x\n',
      [
        'story.yaml:1:3  unknown key "txt"  (did you mean text?)',
        'story.yaml:3:10  calls must be a list, not text  (put "- " before each "tool:")',
      ],
    ],
    ['{"main": [{"txt": "a"}]}', ['story.yaml:1:12  unknown key "txt"  (did you mean text?)']],
  ])('%j', async (text, problems) => {
    expect(await parseScript('story.yaml', text)).toEqual({ kind: 'problems', problems });
  });

  it.each([
    ['- text: "open', /^story\.yaml:1:\d+ {2}\S/],
    ['- text: a\n- text: b\n text: c', /^story\.yaml:3:\d+ {2}\S/],
    ['[{"text": "a",,}]', /^story\.yaml:1:\d+ {2}\S/],
    ['- text: a\n  text: b', /^story\.yaml:2:3 {2}Map keys must be unique/],
  ])('also where the text is not even YAML: %j', async (text, problem) => {
    const parsed = await parseScript('story.yaml', text);
    expect(parsed.kind === 'problems' && parsed.problems[0]).toMatch(problem);
  });
});
