// An input each built-in tool takes, for questions about a tool that come without one.

const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read_file: { path: 'src/cart.ts' },
  write_file: { path: 'src/cart.ts', content: 'export const total = 0;\n' },
  edit_file: { path: 'src/cart.ts', old_string: 'let total', new_string: 'const total' },
  list_directory: { path: 'src' },
  glob_search: { pattern: 'src/**/*.ts' },
  grep_search: { pattern: 'total' },
  run_shell: { command: 'git push origin main' },
  shell_output: { id: 'shell_1' },
  shell_kill: { id: 'shell_1' },
  web_fetch: { url: 'https://example.com/' },
  ask_user: {
    questions: [{ header: 'Storage', question: 'Where?', options: [{ label: 'disk' }, { label: 'memory' }] }],
  },
  todo_write: { todos: [{ content: 'Add tax', status: 'pending' }] },
};

/** Empty for a tool that is not built in. */
export function sampleInput(tool: string): Readonly<Record<string, unknown>> {
  return Object.hasOwn(inputs, tool) ? (inputs[tool] ?? {}) : {};
}
