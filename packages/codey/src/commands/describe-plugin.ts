// What a plugin would bring into a session, line by line: a person reads this before turning it on.
import type { Plugin } from '@codey/agent';
import { sanitise } from '../terminal/sanitise.ts';

export function describePlugin({
  name,
  version,
  description,
  root,
  format,
  hooks,
  servers,
  commands,
}: Plugin): string {
  const lines = [
    `${name} ${version}${description === '' ? '' : `: ${description}`}`,
    `  in ${root}`,
    ...(format === 'native' ? [] : [`  ${foreign}`]),
    ...hooks.policy.map(({ event, handler, matcher }) => {
      const what = handler.type === 'command' || handler.type === 'worker' ? handler.command : handler.type;
      return `  hook ${event}${matcher.text === '' ? '' : ` (${matcher.text})`}: ${what}`;
    }),
    ...hooks.lifecycle.map((hook) => `  hook ${hook.event}: ${hook.command}`),
    ...Object.entries(servers.servers).map(
      ([server, definition]) => `  MCP server ${server}: ${sayServer(definition)}`,
    ),
    ...commands.map((command) => `  command /${command.name}`),
  ];
  return lines.map((line) => sanitise(line, { oneLine: false }).replaceAll('\n', ' ')).join('\n');
}

const foreign =
  'written for Claude Code: of it only the hooks are used, and they run where ~/.codey/settings.json says "claudeHooks": true';

function sayServer(definition: unknown): string {
  if (typeof definition !== 'object' || definition === null) return 'not a definition';
  const { command, args, url } = definition as Readonly<Record<string, unknown>>;
  if (typeof url === 'string') return url;
  return [command, ...(Array.isArray(args) ? args : [])].map(String).join(' ');
}
