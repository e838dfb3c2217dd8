import { preToolUseHook, preToolUseOutput } from '@goodfoot/claude-code-hooks';

export default preToolUseHook({ matcher: 'Write|Edit' }, (input) => {
  const { file_path } = input.tool_input as { file_path: string };
  return preToolUseOutput({
    hookSpecificOutput: file_path.startsWith('/')
      ? { permissionDecision: 'deny', permissionDecisionReason: `${file_path} is frozen` }
      : { permissionDecision: 'allow' },
  });
});
