import { describe, expect, it } from 'vitest';
import { readSetting } from './read-setting.ts';

describe('readSetting', () => {
  const text = '\ufeff{ // mine\n "hooks": {"Stop": [{"hooks": []}, 7]}, "model": "a", "model": "b" }';

  it.each<[Parameters<typeof readSetting>[1], unknown]>([
    [['model'], 'b'],
    [['hooks', 'Stop', 1], 7],
    [
      ['hooks', 'Stop'],
      [{ hooks: [] }, 7],
    ],
    [['hooks', 'Stop', 2], undefined],
    [['hooks', 'Start'], undefined],
    [['model', 'name'], undefined],
    [['hooks', 0], undefined],
  ])('gives what stands at %j', (path, expected) => {
    expect(readSetting(text, path)).toEqual(expected);
  });

  it.each(['', '{', '[1]'])('gives nothing of %j', (broken) => {
    expect(readSetting(broken, ['hooks'])).toBeUndefined();
  });
});
