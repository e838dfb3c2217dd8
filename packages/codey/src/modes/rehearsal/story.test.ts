import { describe, expect, it } from 'vitest';
import { parseStory, type Story } from './story.ts';

function read(text: string): Story {
  const parsed = parseStory('story.yaml', text);
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return parsed.story;
}

function problems(text: string): readonly string[] {
  const parsed = parseStory('story.yaml', text);
  return parsed.ok ? [] : parsed.problems;
}

describe('parseStory', () => {
  it('takes a plain list for what the model answers', () => {
    const text = '- text: hello\n';
    expect(read(text)).toEqual({ prompt: 'Play the story.', approve: true, script: text, expectations: [] });
  });

  it('keeps what is the model’s on its lines and takes the rest out', () => {
    const story = read(
      'prompt: |\n  Do it\n  well.\nmain:\n  - text: done\nexpect:\n  - event: run_end\n    reason: completed\n  - gate: denied\n    times: 0\napprove: false\n',
    );
    expect(story).toMatchObject({
      prompt: 'Do it\nwell.\n',
      approve: false,
      expectations: [
        { line: 7, event: 'run_end', reason: 'completed', outcomes: {} },
        { line: 9, gate: 'denied', times: 0, outcomes: {} },
      ],
    });
    const lines = ['', '', '', 'main:', '  - text: done', '', '', '', '', '', '', ''];
    expect(story.script.split('\n').map((line) => line.trimEnd())).toEqual(lines);
  });

  it('reads JSON too', () => {
    const story = read('{"prompt": "Do it", "main": [{"text": "done"}], "expect": [{"event": "Stop"}]}');
    expect(story).toMatchObject({ prompt: 'Do it', script: '{"main":[{"text":"done"}]}' });
  });

  it('lists everything that is wrong with its place', () => {
    expect(
      problems(
        'prompt: 7\nexpect:\n  - evnt: Stop\n  - event: Stop\n    time: 1\n    times: -1\n  - {event: Stop, outcomes: {a: blokked}}\n',
      ),
    ).toEqual([
      'story.yaml:1:9  prompt must be a text',
      'story.yaml:3:5  an expectation names an event, or with "gate" how a call was decided',
      'story.yaml:5:11  unknown key "time"; did you mean times?',
      'story.yaml:6:12  times is a whole number from 0',
      expect.stringContaining('story.yaml:7:29  outcomes maps hooks to passed, decided, blocked'),
    ]);
    expect(problems('a: [')).toEqual([expect.stringMatching(/^story\.yaml:\d+:\d+ /)]);
  });
});
