// A stage for whole-program tests: a home and a real git repository of their own, and the program as a child process.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));

/** One entry of a scripted model. */
export interface ScriptEntry {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly error?: string;
  readonly delay_ms?: number;
}

/** What the model says to the main agent, and to those it starts, by their names or types. */
export type Script =
  | readonly ScriptEntry[]
  | {
      readonly main: readonly ScriptEntry[];
      readonly agents: Readonly<Record<string, readonly ScriptEntry[]>>;
    };

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** The project's root by default. */
  readonly cwd?: string;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Called with the running child; the run does not end before what it returns. */
  readonly onStart?: (child: Child) => unknown;
}

/** The program while it runs. */
export interface Child {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export interface Stage {
  readonly home: string;
  readonly project: string;
  /** Writes a file of the project or, with a path that begins with `~/`, of the home. `.sh` and `.py` become executable. */
  write(file: string, content: string | object): string;
  read(file: string): string;
  has(file: string): boolean;
  /** Runs a prompt on a scripted model. */
  prompt(script: readonly ScriptEntry[], options?: RunOptions): Promise<Run>;
  codey(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** The journal's lines. */
  journal(): readonly Record<string, unknown>[];
  remove(): void;
}

export function createStage(): Stage {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'codey-stage-')));
  const home = path.join(folder, 'home');
  const project = path.join(folder, 'project');
  mkdirSync(home);
  execFileSync('git', ['init', '--quiet', project]);

  const locate = (file: string): string =>
    file.startsWith('~/') ? path.join(home, file.slice(2)) : path.join(project, file);

  const stage: Stage = {
    home,
    project,
    write(file, content) {
      const target = locate(file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      if (/\.(?:sh|py)$/.test(file)) chmodSync(target, 0o755);
      return target;
    },
    read: (file) => readFileSync(locate(file), 'utf8'),
    has: (file) => existsSync(locate(file)),
    prompt(script, options = {}) {
      const file = path.join(folder, 'script.json');
      writeFileSync(file, JSON.stringify(script));
      return stage.codey(['-p', 'do it', '--model', `script:${file}`, ...(options.args ?? [])], options);
    },
    codey: (args, options = {}) => runProgram(args, { cwd: project, ...options, home }),
    journal() {
      const file = path.join(project, '.codey/events.jsonl');
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    remove: () => removeGrowing(folder),
  };
  return stage;
}

/** What a program that was killed had started to make pipes may be adding to the home; it fails once that is gone. */
function removeGrowing(folder: string): void {
  for (;;) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

function runProgram(
  args: readonly string[],
  options: RunOptions & { readonly cwd: string; readonly home: string },
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.cwd,
      env: { ...process.env, HOME: options.home, ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin ?? '');
    child.on('error', reject);
    const { pid } = child;
    const handled = Promise.resolve(
      pid === undefined
        ? undefined
        : options.onStart?.({
            pid,
            kill: (signal) => void child.kill(signal),
            stdout: () => stdout,
            stderr: () => stderr,
          }),
    );
    handled.catch(reject);
    child.on('close', (code, signal) => resolve(handled.then(() => ({ code, signal, stdout, stderr }))));
  });
}

/** A script whose only call is one shell command, followed by a final answer. */
export function shellScript(...commands: readonly string[]): readonly ScriptEntry[] {
  return [
    ...commands.map((command) => ({
      text: 'I will run it.',
      calls: [{ tool: 'run_shell', input: { command } }],
    })),
    { text: 'All done.' },
  ];
}
