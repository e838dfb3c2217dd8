// Keeps an agent from pushing to a protected branch, and from running a formatter without a list of files.
import { changeInput, defineHook, deny, runHooks } from '@codey/hooks/sdk';

export const guard = defineHook('PreToolUse', ({ tool_input }) => {
  const command = typeof tool_input.command === 'string' ? tool_input.command : '';
  if (/\bgit\s+push\b.*\bmain\b/.test(command))
    return deny('main is protected; push a branch and open a pull request');
  if (command === 'npx prettier --write .')
    return changeInput({ ...tool_input, command: 'npx prettier --write src' });
  return undefined;
});

await runHooks(import.meta.url, guard);
