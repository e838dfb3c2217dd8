// Matchers and conditions that fit no tool there is, and pairs of them that never fit the same one.
import { compileGlob, type HookDefinition, policyCatalogue } from '@codey/hooks';
import { knownTools, mayNameServer, suggestTools } from './known-tools.ts';
import type { Suspicion } from './suspicions.ts';

/** Hooks of another dialect are judged by that dialect when they are read. */
export function neverMatching(hook: HookDefinition, servers: readonly string[]): readonly Suspicion[] {
  const { event, matcher, condition, source, dialect } = hook;
  if (dialect !== 'native' || !policyCatalogue[event].aboutToolCall) return [];
  const tools = knownTools(servers);
  const matched = tools.filter((tool) => matcher.test(tool) !== 'no');
  if (matched.length === 0 && !mayNameServer(matcher.text)) {
    return [
      {
        source,
        message: `no tool has a name that the matcher "${matcher.text}" matches, so this hook never runs`,
        hint: suggestTools(matcher.text.split('|'), tools),
      },
    ];
  }
  if (condition === undefined || condition.tools.some(mayNameServer)) return [];
  const globs = condition.tools.map(compileGlob);
  const fits = (tool: string) => globs.some((glob) => glob.matches(tool));
  if (!tools.some(fits)) {
    return [
      {
        source,
        message: `no tool is called as "if" says in "${condition.text}", so this hook never runs`,
        hint: suggestTools(condition.tools, tools),
      },
    ];
  }
  if (matched.some(fits) || mayNameServer(matcher.text)) return [];
  return [
    {
      source,
      message: `the matcher "${matcher.text}" and the "if" "${condition.text}" never fit the same tool, so this hook never runs`,
      hint: `drop the matcher, or write it as "${condition.tools.join('|')}"`,
    },
  ];
}
