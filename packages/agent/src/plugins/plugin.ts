// What a plugin is once it is loaded: everything it contributes to a session, with where it came from.
import type { NeverFires, ParsedHooks, WatchedFiles } from '@codey/hooks';
import type { ContributedServers } from '../mcp/configured.ts';
import type { PluginFormat } from './manifest.ts';
import type { PromptCommand } from './prompt-command.ts';

export interface Plugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Absolute, real: what `*_SKILL_DIR` names in its hooks. */
  readonly root: string;
  /** It lies in the repository, so its hooks wait for the user's agreement. */
  readonly fromRepository: boolean;
  readonly format: PluginFormat;
  readonly hooks: ParsedHooks;
  /** Hooks for moments that do not come here. */
  readonly neverFires: readonly NeverFires[];
  /** Files that its hooks want watched from the start. */
  readonly watches: readonly WatchedFiles[];
  readonly servers: ContributedServers;
  readonly commands: readonly PromptCommand[];
  /** Folders to be read like those of a user or a project; there whether they exist or not. */
  readonly skillFolders: readonly string[];
  readonly agentFolders: readonly string[];
}

export type LoadedPlugin =
  /** Warnings are sentences for the user: single entries that do not count, while their neighbours do. */
  | { readonly kind: 'plugin'; readonly plugin: Plugin; readonly warnings: readonly string[] }
  /** Nothing of it counts; sentences that name the file. */
  | { readonly kind: 'problem'; readonly problems: readonly string[] };
