// A shell in a real pseudo-terminal that completes codey: a line and a Tab go in, the words that became of it come out.
import { type IPty, spawn } from '@lydell/node-pty';
import type { Stage } from './stage.ts';
import { until } from './waiting.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

export interface Shell {
  /** Types the line and a Tab and runs what stands there then; gives back the arguments the program got. */
  tab(line: string): Promise<readonly string[]>;
  /** Types the line and a Tab and waits until all these words are shown. */
  list(line: string, words: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface Setup {
  readonly argv: (folder: string) => readonly string[];
  readonly file: string;
  readonly lines: readonly string[];
}

const prompt = 'ready> ';
const report = "printf 'told:'; printf '[%s]'";

/** The script of each shell as a user installs it, then `codey` replaced by something that tells its arguments. */
const setups: Readonly<Record<ShellName, Setup>> = {
  bash: {
    argv: (folder) => ['--noprofile', '--rcfile', `${folder}/.bashrc`, '-i'],
    file: '.bashrc',
    lines: [
      'eval "$(codey completions bash)"',
      `codey() { ${report} "$@"; echo :end; }`,
      'koder() { codey "$@"; }',
      `PS1='${prompt}'`,
      "bind 'set show-all-if-ambiguous on' 'set completion-query-items 0' 'set page-completions off'",
    ],
  },
  zsh: {
    argv: () => ['-d', '-i'],
    file: '.zshrc',
    lines: [
      'autoload -Uz compinit && compinit -u -D',
      'eval "$(codey completions zsh)"',
      `codey() { ${report} "$@"; echo :end; }`,
      'koder() { codey "$@"; }',
      `PROMPT='${prompt}' LISTMAX=10000`,
      'unsetopt beep',
    ],
  },
  fish: {
    argv: () => ['-i'],
    file: '.config/fish/config.fish',
    lines: [
      'codey completions fish | source',
      `function codey; ${report} $argv; echo :end; end`,
      'function koder; codey $argv; end',
      `function fish_prompt; printf '${prompt}'; end`,
      'function fish_greeting; end',
      'set -g fish_autosuggestion_enabled 0',
    ],
  },
};

/** `bin` is where `codey` is found. Ended by the caller. */
export async function openShell(name: ShellName, stage: Stage, bin: string): Promise<Shell> {
  const { argv, file, lines } = setups[name];
  stage.write(`~/${file}`, `${lines.join('\n')}\n`);
  const pty: IPty = spawn(name, [...argv(stage.home)], {
    cols: 200,
    rows: 50,
    cwd: stage.project,
    name: 'xterm',
    env: {
      ...inherited(),
      HOME: stage.home,
      ZDOTDIR: stage.home,
      // fish keeps a folder there.
      TMPDIR: stage.home,
      PATH: `${bin}:${process.env.PATH}`,
    },
  });
  let written = '';
  pty.onData((data) => {
    written += data;
    // fish asks what terminal this is and waits for the answer.
    if (data.includes('\x1b[c')) pty.write('\x1b[?62;c');
  });
  const ended = new Promise<void>((resolve) => {
    pty.onExit(() => resolve());
  });
  const ready = () => until(() => written.includes(prompt));
  /** Forgets what was written, so that what is waited for next is the answer to what is typed next. */
  const type = (text: string): void => {
    written = '';
    pty.write(text);
  };
  await ready();
  return {
    async tab(line) {
      type(`${line}\t\r`);
      await until(() => /told:.*:end[\s\S]*ready> /.test(written));
      const told = /told:(.*):end/.exec(written)?.[1] ?? '';
      return [...told.matchAll(/\[(.*?)\](?=$|\[)/g)].flatMap(([, word]) => word ?? []);
    },
    async list(line, words) {
      type(`${line}\t`);
      await until(() => words.every((word) => written.includes(word)));
      // Ctrl-C closes the list and leaves the line.
      type('\x03');
      await ready();
    },
    async close() {
      pty.kill('SIGKILL');
      await ended;
    },
  };
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
