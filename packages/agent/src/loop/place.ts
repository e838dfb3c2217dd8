// Where one agent works. Entering a worktree moves it; the other agents stay where they are.

export interface Place {
  /** Root of its workspace: the project root or a worktree. Absolute, real. */
  readonly workspace: string;
  /** What its relative paths are resolved against. Absolute. */
  readonly cwd: string;
}

export interface MovablePlace extends Place {
  moveTo(place: Place): void;
}

export function createPlace(start: Place): MovablePlace {
  let now = start;
  return {
    get workspace() {
      return now.workspace;
    },
    get cwd() {
      return now.cwd;
    },
    moveTo: ({ workspace, cwd }) => {
      now = { workspace, cwd };
    },
  };
}
