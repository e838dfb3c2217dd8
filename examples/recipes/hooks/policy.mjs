// PreToolUse: lets nothing write outside of src and docs. Worth failing loudly, so the recipe blocks when it breaks.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const { tool_name: tool, tool_input: input, project_dir: project } = JSON.parse(readFileSync(0, 'utf8'));
if (['write_file', 'edit_file'].includes(tool)) {
  const path = relative(project, resolve(project, input.path));
  if (!/^(?:src|docs)\//.test(path)) {
    console.error(`${path} is outside of src and docs`);
    process.exitCode = 2;
  }
}
