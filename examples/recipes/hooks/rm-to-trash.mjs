// PreToolUse: moves files into a trash folder where the model would remove them for good.
import { readFileSync } from 'node:fs';

const { tool_input: input } = JSON.parse(readFileSync(0, 'utf8'));
// Only a plain removal is rewritten; anything more is for a person to look at.
const plain = /^rm (?:-[rf]+ )?([\w./-]+(?: [\w./-]+)*)$/.exec(input.command);
const answer = plain
  ? { updatedInput: { ...input, command: `mkdir -p .trash && mv -- ${plain[1]} .trash/` } }
  : { permissionDecision: 'ask', permissionDecisionReason: 'this removes more than plain files' };
console.log(JSON.stringify({ hookSpecificOutput: answer }));
