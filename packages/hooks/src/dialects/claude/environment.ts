// The variables that hooks of this format look for.
import type { HookPlace } from '../dialect.ts';

/**
 * Every name is given, so that what this program itself inherited from another agent is taken away where it has no
 * value here: it would speak of another session and be believed.
 */
export function claudeEnvironment(place: HookPlace): Readonly<Record<string, string | undefined>> {
  return {
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_SESSION_ID: place.session,
    CLAUDE_PROJECT_DIR: place.projectRoot,
    CLAUDE_ENV_FILE: place.envFile,
    CLAUDE_PLUGIN_ROOT: place.root,
    CLAUDE_PLUGIN_DATA: undefined,
    CLAUDE_PID: undefined,
    CLAUDE_EFFORT: undefined,
    CLAUDE_CODE_ENTRYPOINT: undefined,
  };
}

/** Placeholders of that format in words that no shell will look at. */
export function expandPlaceholders(word: string, place: { projectRoot: string; root?: string }): string {
  return word.replace(/\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\}/g, (whole, name) =>
    name === 'CLAUDE_PROJECT_DIR' ? place.projectRoot : (place.root ?? whole),
  );
}
