// Opens an address in the user's browser, past the terminal.
import { spawn } from 'node:child_process';

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open' };

/** The address is an argument, read by no shell. Where nothing opens it the user has seen it and can copy it. */
export function openAddress(url: string): void {
  const child = spawn(openers[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
