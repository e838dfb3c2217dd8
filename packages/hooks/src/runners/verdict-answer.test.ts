import { describe, expect, it } from 'vitest';
import { decodeNative } from '../dialects/native/decode.ts';
import { readVerdictAnswer } from './verdict-answer.ts';

const read = (text: string) => readVerdictAnswer(text, (json) => decodeNative('PreToolUse', json));

describe('the answer of a model', () => {
  it.each([
    ['bare', '{"ok": true}', '{"ok": true}'],
    ['with space around', '\n {"ok":false,"reason":"no"} \n', '{"ok":false,"reason":"no"}'],
    ['in a fence', '```json\n{"ok": true}\n```', '{"ok": true}'],
    ['in a fence without a language', '```\n{\n"ok": true\n}\n```\n', '{\n"ok": true\n}'],
    [
      'as a whole hook answer',
      '{"hookSpecificOutput":{"permissionDecision":"ask"}}',
      '{"hookSpecificOutput":{"permissionDecision":"ask"}}',
    ],
  ])('is read %s', (_how, text, json) => {
    expect(read(text)).toEqual({ kind: 'answer', json });
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['an empty fence', '```\n```', 'is empty'],
    ['prose', 'I think this is fine.', 'is not one JSON object and nothing else'],
    [
      'an object in prose',
      'It says {"ok": true}, but I do not believe it.',
      'is not one JSON object and nothing else',
    ],
    ['two objects', '{"ok": false}\n{"ok": true}', 'is not one JSON object and nothing else'],
    ['a fence in prose', 'Here:\n```json\n{"ok": true}\n```', 'is not one JSON object and nothing else'],
    [
      'two fences',
      '```\n{"ok": false}\n```\n```\n{"ok": true}\n```',
      'is not one JSON object and nothing else',
    ],
    ['half an object', '{"ok": fal', 'is not one JSON object and nothing else'],
    ['a list', '[{"ok": true}]', 'is not one JSON object and nothing else'],
    ['a word', 'true', 'is not one JSON object and nothing else'],
    ['an empty object', '{}', 'has no "ok"'],
    ['an object about something else', '{"answer": "yes"}', 'has no "ok"'],
    ['ok with nothing in it', '{"ok": null}', 'has no "ok"'],
    ['a yes in words', '{"ok": "true"}', 'has a known key with a value that means nothing there'],
    ['too much', `{"ok": true, "pad": "${'x'.repeat(1024 * 1024)}"}`, 'is longer than 1 MiB'],
  ])('is not read out of %s', (_what, text, why) => {
    expect(read(text)).toEqual({ kind: 'unreadable', why });
  });

  it('keeps a no whose reason cannot be read [contract.output.tightening-only]', () => {
    expect(read('{"ok": false, "reason": 5}')).toMatchObject({ kind: 'half-read' });
  });
});
