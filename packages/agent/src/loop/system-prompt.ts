// The text that opens every request: how to work, where, and the project's own instructions.
import type { InstructionsFile } from '../instructions/load.ts';
import answerBriefly from './brief.md';
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
  /** The user wants answers in a few words. */
  readonly brief: boolean;
  /** What MCP servers say about themselves. */
  readonly servers: readonly { readonly server: string; readonly text: string }[];
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
  const servers = facts.servers.map(
    ({ server, text }) => `<mcp-server name="${server}">\n${text}\n</mcp-server>`,
  );
  const brief = facts.brief ? answerBriefly.trim() : '';
  return [howToWork.trim(), facts.role ?? '', brief, place, facts.skills, ...servers, ...instructions]
    .filter((part) => part !== '')
    .join('\n\n');
}
