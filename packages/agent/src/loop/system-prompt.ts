// The text that opens every request: how to work, where, and the project's own instructions.
import type { InstructionsFile } from '../instructions/load.ts';
import howToWork from './system.md';

export interface SystemFacts {
  /** What an agent is told beside how to work: its definition. */
  readonly role?: string;
  readonly workspace: string;
  readonly cwd: string;
  readonly platform: string;
  readonly date: Date;
  /** The list of skills as `listSkills` gives it. */
  readonly skills: string;
  readonly instructions: readonly InstructionsFile[];
}

export function systemPrompt(facts: SystemFacts): string {
  const place = [
    `Workspace: ${facts.workspace}`,
    `Current directory: ${facts.cwd}`,
    `Platform: ${facts.platform}`,
    `Date: ${facts.date.toISOString().slice(0, 10)}`,
  ].join('\n');
  const instructions = facts.instructions.map(
    ({ file, text }) => `<instructions file="${file}">\n${text.trim()}\n</instructions>`,
  );
  return [howToWork.trim(), facts.role ?? '', place, facts.skills, ...instructions]
    .filter((part) => part !== '')
    .join('\n\n');
}
