import { runHook } from '@mizunashi_mana/claude-code-hook-sdk';

await runHook({
  preToolUseHandler: async (input) => {
    if (input.tool_name === 'Bash' && input.tool_input.command.includes('deploy')) {
      return { decision: 'block', reason: 'deploys are done by hand' };
    }
    return {};
  },
  stopHandler: async (input) => (input.stop_hook_active ? {} : { decision: 'block', reason: 'run the tests' }),
});
