// Nothing of a conversation reaches those who only watch, whatever is said, read, printed or answered in it.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalEntry, lifecycleEventNames, openJournal } from '@codey/hooks';
import { createHerdrReporter } from '@codey/hooks/herdr';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Human } from '../src/gate/human.ts';
import { ModelError, type ModelRequest } from '../src/model/model.ts';
import { type Answer, modelOf, openWholeSession } from './whole-session.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'content-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Where content can come from; each says its own word, so that a leak names its source. */
const sources = {
  prompt: 'canary-prompt',
  instructions: 'canary-instructions',
  model: 'canary-model',
  file: 'canary-file',
  written: 'canary-written',
  stdout: 'canary-stdout',
  stderr: 'canary-stderr',
  hookReason: 'canary-hook-reason',
  hookContext: 'canary-hook-context',
  hookOutput: 'canary-hook-output',
  environment: 'canary-environment',
  envFile: 'canary-env-file',
  refusal: 'canary-refusal',
  agentPrompt: 'canary-agent-prompt',
  todo: 'canary-todo',
  answer: 'canary-answer',
} as const;
/** May stand in the message of `blocked`, and nowhere else. */
const shown = ['canary-command', 'canary-header', 'canary-path'] as const;

type Step =
  | 'read'
  | 'write'
  | 'print'
  | 'fail'
  | 'unknown'
  | 'invalid'
  | 'ask'
  | 'todo'
  | 'spawn'
  | 'missing'
  | 'environment';

const calls: Readonly<Record<Step, NonNullable<Answer['calls']>[number]>> = {
  read: { tool: 'read_file', input: { path: 'notes.txt' } },
  write: { tool: 'write_file', input: { path: 'canary-path.txt', content: sources.written } },
  print: {
    tool: 'run_shell',
    input: { command: `cat notes.txt; cat out.txt; cat out.txt >&2; : canary-command` },
  },
  fail: { tool: 'run_shell', input: { command: 'cat out.txt >&2; exit 3; : canary-command' } },
  unknown: { tool: 'no_such_tool', input: { text: sources.written } },
  invalid: { tool: 'write_file', input: { content: sources.written } },
  ask: {
    tool: 'ask_user',
    input: {
      questions: [
        {
          header: 'canary-header',
          question: `Which ${sources.model}?`,
          options: [{ label: sources.answer }, { label: 'other' }],
        },
      ],
    },
  },
  todo: { tool: 'todo_write', input: { todos: [{ content: sources.todo, status: 'pending' }] } },
  spawn: { tool: 'spawn_agent', input: { prompt: sources.agentPrompt } },
  missing: { tool: 'read_file', input: { path: 'canary-path/not-there' } },
  environment: { tool: 'run_shell', input: { command: 'env' } },
};

const story = fc.record({
  steps: fc.array(fc.subarray(Object.keys(calls) as Step[], { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  }),
  ends: fc.constantFrom(
    'answer',
    'provider failure',
    'stop block',
    'stop continue',
    'prompt block',
    'interrupt',
  ),
  denies: fc.boolean(),
  hooks: fc.subarray(['reason', 'context', 'output', 'broken', 'message'] as const),
});

it('over whole sessions, in variables, stdin, journal and reports [codey.content.no-conversation-text] [codey.content.no-text-deltas] [codey.content.no-tool-output] [contract.journal.no-content] [codey.output.kept-on-failure]', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const seen = await watch(told);
      expect(seen['the journal']).toContain('session_start');
      expect(seen['what lifecycle hooks were told']).toContain('CODEY_HOOK_EVENT=session_end');
      expect(seen['what herdr was told']).toContain('report-agent');
      for (const [what, text] of Object.entries(seen)) {
        for (const canary of [...Object.values(sources), ...shown]) {
          if (text.includes(canary)) expect.fail(`${canary} is in ${what}: ${around(text, canary)}`);
        }
      }
    }),
    { numRuns: 8 },
  );
});

/** What each of those who only watch was told, without the messages of `blocked`. */
async function watch(told: typeof story extends fc.Arbitrary<infer T> ? T : never) {
  const home = await mkdtemp(join(folder, 'home-'));
  const projectRoot = join(home, 'project');
  await mkdir(projectRoot);
  await writeFile(join(projectRoot, 'AGENTS.md'), sources.instructions);
  await writeFile(join(projectRoot, 'notes.txt'), sources.file);
  await writeFile(join(projectRoot, 'out.txt'), `${sources.stdout} ${sources.stderr}`);
  await mkdir(join(home, '.codey'));
  await writeFile(join(home, '.codey/settings.json'), JSON.stringify({ hooks: hooksOf(told) }));

  const journal = await openJournal({
    projectRoot,
    home,
    session: 'content',
    pid: process.pid,
    now: Date.now,
    onNotice: () => {},
  });
  const entries: JournalEntry[] = [];
  const reports: string[] = [];
  const herdr = createHerdrReporter({
    pane: 'w1:p1',
    herdr: {
      async call(args) {
        reports.push(withoutMessages(args).join(' '));
        return { ok: true };
      },
      callAtOnce: () => true,
      handOver: () => {},
      close: async () => {},
    },
    claim: { take: async () => ({ held: true, owner: null }), giveUp: async () => {} },
    now: Date.now,
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
  const moves = [...told.steps];
  const { started } = await openWholeSession({
    home,
    projectRoot,
    model: modelOf((request) => answerOf(request, moves, told.ends)),
    human: humanWho(told.denies),
    journal: {
      append(entry) {
        entries.push(entry);
        journal.append(entry);
      },
      flush: journal.flush,
    },
    environment: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TEST_RUN: process.env.TEST_RUN ?? '',
      SECRET: sources.environment,
    },
  });
  if (started.kind === 'open') {
    const { session } = started;
    await herdr.claim();
    herdr.follow({ id: session.id, bus: session.bus, journal });
    if (told.ends === 'interrupt') setTimeout(session.interrupt, 60);
    await session.prompt(sources.prompt);
    await session.close({ reason: 'exit', hurry: new AbortController().signal });
  }
  await herdr.release();
  await journal.close();

  const toldToHooks = (await readFile(join(home, 'told'), 'utf8').catch(() => '')).split('\n');
  return {
    'what lifecycle hooks were told': toldToHooks.map(withoutBlockedMessage).join('\n'),
    'the journal': (await readFile(join(projectRoot, '.codey/events.jsonl'), 'utf8'))
      .split('\n')
      .map(withoutBlockedMessage)
      .join('\n'),
    'the entries of the journal': entries
      .map((entry) => withoutBlockedMessage(JSON.stringify(entry)))
      .join('\n'),
    'what herdr was told': reports.join('\n'),
  };
}

function hooksOf({ ends, hooks }: { readonly ends: string; readonly hooks: readonly string[] }): object {
  const command = (line: string) => [{ hooks: [{ type: 'command', command: line }] }];
  // The message of `blocked` is taken out; that of any other event would stay.
  const record = `{ cat; env | grep -E '^(CODEY|KODER)_'; } | if [ "$CODEY_HOOK_EVENT" = blocked ]; then grep -vE '^(CODEY|KODER)_MESSAGE='; else cat; fi >> "$HOME/told"`;
  const output = `echo ${sources.hookOutput}; echo ${sources.hookOutput} >&2`;
  return {
    ...Object.fromEntries(lifecycleEventNames.map((event) => [event, [record, 'echo gone >&2; exit 1']])),
    SessionStart: command(
      `echo ${sources.hookContext}; echo 'export KEPT=${sources.envFile}' >> "$CODEY_ENV_FILE"`,
    ),
    ...(hooks.includes('reason') && {
      PermissionRequest: command(`echo ${sources.hookReason} >&2; exit 2`),
    }),
    ...(hooks.includes('context') && {
      PostToolUse: command(
        `echo '{"hookSpecificOutput":{"additionalContext":"${sources.hookContext}","updatedToolOutput":"${sources.hookOutput}"}}'`,
      ),
    }),
    ...(hooks.includes('message') && {
      PreToolUse: command(`echo '{"systemMessage":"${sources.hookOutput}"}'`),
    }),
    ...(hooks.includes('output') && { PostToolUseFailure: command(output) }),
    ...(hooks.includes('broken') && { PermissionDenied: command(`${output}; exit 1`) }),
    ...(ends === 'stop block' && { Stop: command(`echo ${sources.hookReason} >&2; exit 2`) }),
    ...(ends === 'stop continue' && {
      Stop: command(
        `grep -q '"stop_hook_active":true' || echo '{"decision":"continue","reason":"${sources.hookReason}"}'`,
      ),
    }),
    ...(ends === 'prompt block' && {
      UserPromptSubmit: command(`echo ${sources.hookReason} >&2; exit 2`),
    }),
  };
}

function answerOf({ agent }: ModelRequest, moves: (readonly Step[])[], ends: string): Answer {
  if (agent.name !== 'main') return { text: sources.model };
  const steps = moves.shift();
  if (steps !== undefined) return { text: sources.model, calls: steps.map((step) => calls[step]) };
  // The provider's sentence is its own; what it says may be published.
  if (ends === 'provider failure') throw new ModelError('overloaded', 'the provider is overloaded');
  return { text: sources.model };
}

function humanWho(denies: boolean): Human {
  return {
    approve: async () => (denies ? { kind: 'deny', reason: sources.refusal } : { kind: 'once' }),
    answer: async (questions) => questions.map(() => sources.answer),
  };
}

/** `blocked` says what is waited for: the one text that may be told. */
function withoutBlockedMessage(line: string): string {
  if (!line.startsWith('{')) return line;
  const { message: _message, ...rest } = JSON.parse(line) as Record<string, unknown>;
  return rest.event === 'blocked' ? JSON.stringify(rest) : line;
}

function withoutMessages(args: readonly string[]): readonly string[] {
  return args.filter((_, at) => !['--message', '--state-label'].includes(args[at - 1] ?? ''));
}

function around(text: string, canary: string): string {
  const at = text.indexOf(canary);
  return text.slice(Math.max(0, at - 120), at + 80);
}
