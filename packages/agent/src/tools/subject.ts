// Which argument of a call rules and `if` conditions test.
import { type CallSubject, guessSubject } from '@codey/hooks';
import { isServerTool } from '../mcp/names.ts';
import { builtInTools } from './built-in.ts';
import { validateInput } from './validate.ts';

/** Nothing for a tool that is neither built in nor a server's, and for input that is not valid, since no call runs with it. */
export function subjectOfCall(name: string, input: Readonly<Record<string, unknown>>): CallSubject {
  if (isServerTool(name)) return guessSubject(name, input);
  const tool = builtInTools.find((candidate) => candidate.name === name);
  if (tool === undefined) return { kind: 'none' };
  const validated = validateInput(tool, input);
  return validated.ok ? tool.subject(validated.value) : { kind: 'none' };
}
