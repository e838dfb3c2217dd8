import { afterEach, describe, expect, it } from 'vitest';
import { key, openStage, type Stage } from '../testing/stage.ts';

let stage: Stage;

afterEach(() => stage.close());

async function enter(line: string): Promise<void> {
  stage.terminal.press(key.paste(line));
  await stage.keys(key.enter);
}

describe('what a session has around its conversation', () => {
  it.each([
    ['/compact', 'compact ', 'Compacted: about 90.0k tokens are now 9.0k.'],
    ['/compact keep the plan', 'compact keep the plan', 'Compacted'],
    ['/cd packages', 'cd packages', 'The session stands in packages now.'],
    ['/cd no', 'cd no', 'no is not a directory'],
    ['/brief on', 'brief true', 'Brief answers are on, from the next one on.'],
    ['/brief off', 'brief false', 'Brief answers are off'],
    ['/mcp reconnect bills', 'reconnect bills', 'bills is being connected anew'],
  ])('%s does what it says', async (line, call, said) => {
    stage = await openStage();
    await enter(line);
    expect(stage.session().calls).toEqual([call]);
    expect(await stage.text()).toContain(said);
  });

  it.each([
    ['/cd', 'The session stands in /work/shop.'],
    ['/brief', 'Brief answers are off.'],
    ['/brief maybe', 'Write /brief on or /brief off.'],
    ['/skills', '/review  Reads a change line by line. (of this repository)'],
    ['/mcp', 'failed: it ended at once'],
    ['/mcp reconnect nobody', 'There is no server nobody.'],
    ['/plugin', 'No plugin is on here.'],
  ])('%s only tells', async (line, said) => {
    stage = await openStage();
    await enter(line);
    expect(stage.session().calls).toEqual([]);
    expect(await stage.text()).toContain(said);
  });

  it('/setup runs the wizard in place of the screen', async () => {
    stage = await openStage();
    await enter('/setup');
    expect(stage.setups()).toBe(1);
    expect(await stage.text()).toContain('Setup is done.');
  });

  it('the name of a skill reaches the session as it was typed', async () => {
    stage = await openStage();
    await stage.keys('/rev', key.tab, ' the bill', key.enter);
    expect(stage.session().calls).toEqual(['prompt /review the bill']);
  });
});
