// The tools every agent starts with.
import { askUser } from './ask-user.ts';
import { editFile } from './edit-file.ts';
import { globSearch } from './glob-search.ts';
import { grepSearch } from './grep-search.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { runShell } from './run-shell.ts';
import { shellKill } from './shell-kill.ts';
import { shellOutput } from './shell-output.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { webFetch } from './web-fetch.ts';
import { writeFile } from './write-file.ts';

export const builtInTools: readonly Tool[] = [
  readFile,
  writeFile,
  editFile,
  listDirectory,
  globSearch,
  grepSearch,
  runShell,
  shellOutput,
  shellKill,
  webFetch,
  askUser,
  todoWrite,
];
