// Keeps one agent's list of work.

export const todoStates = ['pending', 'in_progress', 'completed'] as const;
export type TodoState = (typeof todoStates)[number];

export interface Todo {
  readonly content: string;
  readonly status: TodoState;
}

export interface TodoList {
  read(): readonly Todo[];
  /** The new list takes the place of the whole old one. */
  replace(todos: readonly Todo[]): void;
}

/** @param onChange sees each new list, so that a screen can draw it */
export function createTodoList(onChange?: (todos: readonly Todo[]) => void): TodoList {
  let todos: readonly Todo[] = [];
  return {
    read: () => todos,
    replace(next) {
      todos = next;
      onChange?.(next);
    },
  };
}
