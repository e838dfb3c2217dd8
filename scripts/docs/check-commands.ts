// Commands that a page tells its reader to type: the program takes its own, and scripts and files of others exist.
import { parseCommandLine } from '../../packages/codey/src/cli/parse.ts';
import type { Page, Placed } from './page.ts';
import { shellLines, simpleCommands } from './shell-words.ts';

export interface Repository {
  readonly targets: ReadonlySet<string>;
  /** The scripts of the root's package.json. */
  readonly scripts: ReadonlySet<string>;
}

interface Command {
  readonly words: readonly string[];
  readonly line: number;
}

/** All commands of a page that can be checked, those in blocks and those inside a line. */
export function commandsOf(page: Page): readonly Command[] {
  const blocks = page.blocks
    .filter(({ language }) => ['sh', 'bash', 'console'].includes(language))
    .flatMap((block) =>
      shellLines(block.text).flatMap(({ text, offset }) =>
        simpleCommands(text).map((words) => ({ words, line: block.line + offset })),
      ),
    );
  const spans = page.spans.flatMap(({ text, line }) =>
    simpleCommands(text).map((words) => ({ words, line })),
  );
  return [...blocks, ...spans].filter(({ words }) => checkableStart.test(words.slice(0, 2).join(' ')));
}

const checkableStart =
  /^(?:(?:codey|koder)(?: [\w-]|$)|npm (?:run|test|start|ci)\b|npx vitest|node [\w./-]+\.(?:m?js|ts)$)/;

export function checkCommands(page: Page, repository: Repository): readonly Placed[] {
  return commandsOf(page).flatMap(({ words, line }) => {
    const wrong = findFault(words, repository);
    return wrong === undefined ? [] : [{ line, text: `"${words.join(' ')}": ${wrong}` }];
  });
}

function findFault([program, ...args]: readonly string[], repository: Repository): string | undefined {
  switch (program) {
    case 'codey':
    case 'koder':
      return refusal(args);
    case 'npm': {
      const script = args[0] === 'run' ? args[1] : args[0];
      return script === 'ci' || repository.scripts.has(script ?? '')
        ? undefined
        : `package.json has no script ${script}`;
    }
    case 'node':
      return args[0] === 'packages/codey/bin/codey.js'
        ? refusal(args.slice(1))
        : missing(args.slice(0, 1), repository);
    default:
      return missing(
        args.filter((word) => word.includes('/')),
        repository,
      );
  }
}

/** A name that ends in `…` stands for several commands. */
function refusal(args: readonly string[]): string | undefined {
  if (args.at(-1) === '…') return undefined;
  const parsed = parseCommandLine(args);
  return parsed.kind === 'error' ? parsed.message.split('\n')[0] : undefined;
}

function missing(files: readonly string[], { targets }: Repository): string | undefined {
  const absent = files.find((file) => !targets.has(file));
  return absent === undefined ? undefined : `${absent} does not exist`;
}
