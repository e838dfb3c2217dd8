// Gives calls of herdr to a process of their own that outlives this one, for a herdr that takes longer than anybody waits.
import { spawn } from 'node:child_process';

/** A call that takes longer than this is ended: nothing of a herdr that is stuck stays for good. */
const limitSeconds = 10;

/** One call after the other. Whether they reach herdr nobody hears any more. */
export function handOver(
  program: string,
  calls: readonly (readonly string[])[],
  environment: Readonly<Record<string, string>>,
): void {
  const lines = calls.map((args) => `within ${[program, ...args].map(quote).join(' ')}`);
  const child = spawn('/bin/sh', ['-c', [within, ...lines].join('\n')], {
    cwd: '/',
    env: environment,
    stdio: 'ignore',
    // Neither the end of the terminal nor a signal to the group of this process may take it along.
    detached: true,
  });
  // Without a shell there is nobody left to try.
  child.on('error', () => {});
  child.unref();
}

/** Looks once a second, so that a guard which slept would not stay behind a call that was quick. */
const within = `within() {
  "$@" & call=$!
  left=${limitSeconds}
  while kill -0 "$call"; do
    if [ "$left" -eq 0 ]; then kill -9 "$call"; return; fi
    sleep 1
    left=$((left - 1))
  done
}`;

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
