// How a hook of each type comes to have each fault: programs of one line, addresses, models and functions.
import type { Handler, HookFunction } from '../../src/config/hook.ts';
import type { AskModel } from '../../src/runners/prompt.ts';
import type { FaultName, FaultyType } from './table.ts';

/** Below it hooks hang; above it lies all they do when they do not. */
export const shortMs = 400;

const no = '{"decision":"block","reason":"no"}';
const brokenNo = '{"decision":"block","reason":"no","systemMessage":7}';
const flood = "head -c 3000000 /dev/zero | tr '\\0' x";

/** For `sh`; the same lines serve a command and a program with arguments. */
const lines: Readonly<Partial<Record<FaultName, string>>> = {
  passes: ':',
  blocks: 'echo no >&2; exit 2',
  'says something that is no answer': 'echo hello',
  'fails in its own way': 'echo why >&2; exit 1',
  'fails and says no': `echo '${no}'; exit 1`,
  'is killed': 'kill -9 $$',
  hangs: 'sleep 300; sleep 300',
  'ignores TERM': "trap '' TERM; while :; do sleep 300; done",
  'hangs and has a daemon of its own session': 'setsid sleep 300 & sleep 300; sleep 300',
  'ends and leaves a daemon with its pipes': 'sleep 300 & exit 0',
  'closes stdin': 'exec 0<&-; sleep 0; exit 0',
  'floods stdout': flood,
  'floods stderr': `${flood} >&2`,
  'prints half an object': 'printf \'{"decision":"blo\'',
  'prints wrong types': `echo '{"decision":{"x":1},"continue":"no","hookSpecificOutput":[]}'`,
  'prints a block beside wrong types': `echo '${brokenNo}'`,
  'prints invalid UTF-8 as text': "printf '\\377\\376 text'",
  'blocks in invalid UTF-8': 'printf \'{"decision":"block","reason":"\\377no"}\'',
  'meets EAGAIN': ':',
  'meets ENOMEM': ':',
  'meets E2BIG': ':',
  'has no directory to run in': ':',
};

const answerEach = (what: string): string =>
  `while IFS= read -r line; do id=\${line#*:}; id=\${id%%,*}; ${what}; done`;
const reply = (rest: string): string => answerEach(`printf '{"id":%s${rest}}\\n' "$id"`);

/** The same for a worker, which is asked line by line and stays. */
const workerLines: Readonly<Partial<Record<FaultName, string>>> = {
  passes: reply(''),
  blocks: reply(',"block":"no"'),
  'says something that is no answer': reply(',"output":"hello"'),
  'fails in its own way': reply(',"error":"why"'),
  'is killed': 'read -r line; kill -9 $$',
  hangs: answerEach(':'),
  'ignores TERM': "trap '' TERM; while :; do sleep 300; done",
  'hangs and has a daemon of its own session': `setsid sleep 300 & ${answerEach(':')}`,
  'ends and leaves a daemon with its pipes': `sleep 300 & ${reply('')}`,
  'closes stdin': 'exec 0<&-; sleep 300',
  'floods stdout': `read -r line; ${flood}; sleep 300`,
  'floods stderr': `${flood} >&2; ${reply('')}`,
  'prints half an object': answerEach(`printf '{"id":%s,"blo\\n' "$id"`),
  'prints wrong types': reply(',"block":7'),
  'prints a block beside wrong types': reply(`,"output":${brokenNo}`),
  'prints invalid UTF-8 as text': reply(',"output":"\\377\\376 text"'),
  'blocks in invalid UTF-8': reply(',"block":"\\377no"'),
  'meets EAGAIN': reply(''),
  'meets ENOMEM': reply(''),
  'meets E2BIG': reply(''),
  'has no directory to run in': reply(''),
};

const modelAnswers: Readonly<Partial<Record<FaultName, string>>> = {
  passes: '{"ok":true}',
  blocks: '{"ok":false,"reason":"no"}',
  'says something that is no answer': 'I would say this is fine.',
  'floods stdout': 'x'.repeat(3_000_000),
  'prints half an object': '{"ok":fal',
  'prints wrong types': '{"ok":"no"}',
  'prints a block beside wrong types': '{"ok":false,"reason":"no","systemMessage":7}',
  'has no directory to run in': '{"ok":true}',
};

const returned =
  (value: unknown): HookFunction =>
  () =>
    value as ReturnType<HookFunction>;
const forever = (): Promise<never> => new Promise(() => {});

const functions: Readonly<Partial<Record<FaultName, HookFunction>>> = {
  passes: returned(undefined),
  blocks: returned({ verdict: { kind: 'deny', reason: 'no' } }),
  'says something that is no answer': returned('hello'),
  'fails in its own way': () => {
    throw new Error('why');
  },
  hangs: forever,
  'prints wrong types': returned({ decision: 'block' }),
  'prints a block beside wrong types': returned({
    verdict: { kind: 'deny', reason: 'no' },
    systemMessage: 7,
  }),
  'has no directory to run in': returned(undefined),
};

export interface HandlerPlace {
  /** Of the server in `server.ts`. */
  readonly origin: string;
  /** A file that is there and may not be executed. */
  readonly unexecutable: string;
}

/** Undefined where that type cannot have that fault. */
export function faultyHandler(fault: FaultName, type: FaultyType, place: HandlerPlace): Handler | undefined {
  switch (type) {
    case 'command':
    case 'worker': {
      const line = shellLine(fault, type, place);
      return line === undefined ? undefined : { type, command: line };
    }
    case 'program':
      return program(fault, place);
    case 'http':
      return { type, url: urlOf(fault, place), headers: {}, allowedEnvVars: [] };
    case 'prompt':
    case 'agent':
      // The stand-in for the model finds the fault in the instructions.
      return { type, prompt: fault };
    case 'function': {
      const call = functions[fault];
      return call === undefined ? undefined : { type, name: fault, call };
    }
  }
}

function shellLine(fault: FaultName, type: 'command' | 'worker', { unexecutable }: HandlerPlace) {
  switch (fault) {
    case 'may not be executed':
      return unexecutable;
    case 'is not there':
      return 'no-program-has-this-name';
    default:
      return (type === 'worker' ? workerLines : lines)[fault];
  }
}

function program(fault: FaultName, { unexecutable }: HandlerPlace): Handler | undefined {
  const type = 'command';
  if (fault === 'may not be executed') return { type, command: unexecutable, args: ['x'] };
  if (fault === 'is not there') return { type, command: 'no-program-has-this-name', args: ['x'] };
  const line = lines[fault];
  return line === undefined ? undefined : { type, command: '/bin/sh', args: ['-c', line] };
}

function urlOf(fault: FaultName, { origin }: HandlerPlace): string {
  // Port 1 is given to nobody.
  return fault === 'is not there' ? 'http://127.0.0.1:1/' : `${origin}/${encodeURIComponent(fault)}`;
}

/** Stands in for the model of prompt and agent hooks. */
export const faultyModel: AskModel = async ({ text }) => {
  const fault = (text.split('\n', 1)[0] ?? '') as FaultName;
  if (fault === 'fails in its own way') throw new Error('the provider is overloaded');
  if (fault === 'hangs') return forever();
  return { text: modelAnswers[fault] ?? '', usage: { input: 1, output: 1 } };
};
