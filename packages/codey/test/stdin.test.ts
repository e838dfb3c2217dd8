// What is piped in: the prompt, or what a prompt is about.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));

let stage: Stage;
let model: string;
beforeEach(() => {
  stage = createStage();
  stage.write('~/.codey/settings.json', {
    hooks: { UserPromptSubmit: [group('cat > "$HOME/prompt.json"')] },
  });
  model = `script:${stage.write('~/script.json', [{ text: 'the answer' }])}`;
});
afterEach(() => stage.remove());

function submitted(): string {
  return JSON.parse(stage.read('~/prompt.json')).prompt;
}

/** Runs a line of the shell with the program as `codey`. */
function shell(line: string): string {
  return execFileSync(
    '/bin/sh',
    ['-c', `codey() { "${process.execPath}" "${program}" "$@" --model "${model}"; }; ${line}`],
    {
      cwd: stage.project,
      env: { ...process.env, HOME: stage.home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

describe('stdin', () => {
  it('is the prompt where there is no other, be it a pipe or a file', () => {
    expect(shell(`printf 'naïve — ☕ prompt\\n' | codey -p`)).toBe('the answer\n');
    expect(submitted().trim()).toBe('naïve — ☕ prompt');
    stage.write('prompt.txt', 'from a file\nof two lines\n');
    expect(shell('codey -p < prompt.txt')).toBe('the answer\n');
    expect(submitted().trim()).toBe('from a file\nof two lines');
  });

  it('goes behind a prompt that is written', () => {
    expect(shell(`printf 'line one\\nline two\\n' | codey -p 'Summarise this:'`)).toBe('the answer\n');
    expect(submitted()).toMatch(/^Summarise this:\s+line one\nline two/);
  });

  it('arrives whole, however slowly and in whatever pieces it comes', async () => {
    const child = spawn(process.execPath, [program, '-p', '--model', model], {
      cwd: stage.project,
      env: { ...process.env, HOME: stage.home },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    for (const byte of Buffer.from('é☕𝄞')) {
      child.stdin.write(Buffer.of(byte));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.stdin.end();
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(submitted()).toBe('é☕𝄞');
  });

  it('may be closed or empty beside a prompt', () => {
    for (const line of [`codey -p hi < /dev/null`, `codey -p hi <&-`, `: | codey -p hi`]) {
      expect(shell(line)).toBe('the answer\n');
      expect(submitted()).toBe('hi');
    }
  });

  it('that is empty where a prompt should be is a usage error with a sentence', async () => {
    for (const stdin of ['', ' \n\t\n']) {
      const run = await stage.codey(['-p', '--model', model], { stdin });
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toMatch(/no prompt: write codey -p "…", or pipe one in/);
    }
    expect(stage.has('.codey/events.jsonl')).toBe(false);
  });

  it('that nobody writes to and nobody closes is not waited for where there is a prompt', async () => {
    const child = spawn(process.execPath, [program, '-p', 'hi', '--model', model], {
      cwd: stage.project,
      env: { ...process.env, HOME: stage.home },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdout.resume();
    expect((await once(child, 'close'))[0]).toBe(0);
    child.stdin.destroy();
    expect(stderr).toMatch(/nothing came on stdin/);
    expect(submitted()).toBe('hi');
  });

  it('that is no text does no harm', async () => {
    stage.write('bytes', '');
    const file = openSync('/dev/urandom', 'r');
    const child = spawn(
      '/bin/sh',
      ['-c', 'head -c 20000 | "$0" "$@"', process.execPath, program, '-p', '--model', model],
      {
        cwd: stage.project,
        env: { ...process.env, HOME: stage.home },
        stdio: [file, 'ignore', 'ignore'],
      },
    );
    closeSync(file);
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(submitted().length).toBeGreaterThan(1000);
  });
});
