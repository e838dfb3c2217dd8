// Problems that users of other agents reported, each answered by one command of the workbench.
import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const userHooks = (hooks: object): void => void stage.write('~/.codey/settings.json', { hooks });
const askAbout = (line: string): readonly string[] => [
  'hooks',
  'test',
  'PreToolUse',
  '--tool',
  'run_shell',
  '--input',
  JSON.stringify({ command: line }),
];

interface Problem {
  /** What somebody wrote, with the number of the class of reports. */
  readonly report: string;
  readonly given: () => unknown;
  readonly ask: readonly string[];
  readonly answer: readonly RegExp[];
}

const problems: readonly Problem[] = [
  {
    report: 'my guard exits with 1 and the command runs all the same',
    given: async () => {
      userHooks({ PreToolUse: [group('echo "no pushes" >&2; exit 1', 'run_shell')] });
      await play(stage, shellScript('git push'), bypass);
    },
    ask: ['hooks', 'why'],
    answer: [/failed {2}settings\.json:\d+ /, /exit 2 is the one that blocks/, /"onFailure": "block"/],
  },
  {
    report: 'my guard does nothing since somebody checked the project out anew',
    given: () => {
      chmodSync(stage.write('guard.sh', '#!/bin/sh\nexit 2\n'), 0o644);
      userHooks({ PreToolUse: [group('./guard.sh')] });
    },
    ask: ['hooks', 'validate'],
    answer: [/guard\.sh may not be executed {2}\(chmod \+x .*guard\.sh\)/],
  },
  {
    report: 'one mistyped matcher and nothing starts any more',
    given: () => userHooks({ PreToolUse: [group('true', 'run_shell('), group('true', 'edit_file')] }),
    ask: ['hooks', 'validate'],
    answer: [/settings\.json:\d+:\d+ {2}.*matcher/, /1 problem/],
  },
  {
    report: 'the hook is there twice and runs once',
    given: () => {
      userHooks({ Stop: [group('true')] });
      stage.write('.codey/settings.json', { hooks: { Stop: [group('true')] } });
    },
    ask: ['hooks', 'validate'],
    answer: [/the same Stop hook stands in settings\.json:\d+ \(user\) and runs in place of this one/],
  },
  {
    report: 'the matcher of the other agent never matches here',
    given: () => userHooks({ PreToolUse: [group('exit 2', 'Bash')] }),
    ask: ['hooks', 'validate'],
    answer: [/no tool has a name that the matcher "Bash" matches/, /did you mean "run_shell"\?/],
  },
  {
    report: 'the profile of my shell prints a greeting and the verdict is gone',
    given: () =>
      userHooks({
        PreToolUse: [group('echo Welcome; echo \'{"decision": "block", "reason": "no"}\'', 'run_shell')],
      }),
    ask: askAbout('git push'),
    answer: [/ {2}passed/, /an answer among other text was not read: print the JSON alone/],
  },
  {
    report: 'command not found, although it is on my PATH',
    given: () => userHooks({ PreToolUse: [group('a-version-managers-node guard.js')] }),
    ask: ['hooks', 'validate'],
    answer: [/there is no a-version-managers-node on PATH/],
  },
  {
    report: 'the guard against pushes did not see one in $()',
    given: () =>
      userHooks({
        PreToolUse: [
          { hooks: [command('exit 2', { if: 'run_shell(git push*)' })] },
          { hooks: [command('exit 2', { if: 'run_shell(npm publish*)' })] },
        ],
      }),
    ask: askAbout('echo "$(cd app && git push)"'),
    answer: [/Verdict: deny/, /its "if" "run_shell\(npm publish\*\)" does not match this call/],
  },
  {
    report: 'two hooks changed the input, and I do not know what runs',
    given: () =>
      userHooks({
        PreToolUse: ['one', 'two'].map((word) =>
          group(
            `sed 's/.*/{"hookSpecificOutput": {"updatedInput": {"command": "echo ${word}"}}}/'`,
            'run_shell',
          ),
        ),
      }),
    ask: askAbout('echo'),
    answer: [/input changed by: .*settings\.json:\d+; then .*settings\.json:\d+/, /Verdict: /],
  },
  {
    report: 'a turn takes for ever and nobody says what it waits for',
    given: async () => {
      userHooks({ PreToolUse: [group('sleep 60', 'run_shell', { timeout: 0.2 })] });
      await play(stage, shellScript('true'), bypass);
    },
    ask: ['hooks', 'trace'],
    answer: [/settings\.json:\d+ .*timed-out/, /1 blocked or failed/],
  },
  {
    report: 'the hooks of the project do not run in CI',
    given: () => stage.write('.codey/settings.json', { hooks: { Stop: [group('true')] } }),
    ask: ['hooks', 'list'],
    answer: [/Stop {2}\[untrusted: you have not agreed to it: codey hooks trust\]/],
  },
];

it.each(problems.map((problem) => [problem.report, problem] as const))(
  '%s',
  async (_, { given, ask, answer }) => {
    await given();
    const { stdout } = await stage.codey(ask);
    for (const sentence of answer) expect(stdout).toMatch(sentence);
  },
);
