// Opens a file in the user's own editor, which has the terminal meanwhile.
import { spawn } from 'node:child_process';

/** Resolves with a sentence on why it was not shown. */
export function showInEditor(
  file: string,
  line: number,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const editor = [environment.VISUAL, environment.EDITOR].find((each) => (each ?? '').trim() !== '');
  if (editor === undefined) return Promise.resolve(`set VISUAL or EDITOR to open it; it is ${file}:${line}`);
  return new Promise((resolve) => {
    // The variable may hold arguments, so a shell reads it; the file is an argument of its own and read by nobody.
    const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, 'sh', `+${line}`, file], {
      stdio: 'inherit',
      env: environment,
    });
    child.on('error', (error) => resolve(`the editor could not be started: ${error.message}`));
    child.on('exit', (code) => resolve(code === 0 ? undefined : `${editor} ended with exit code ${code}`));
  });
}
