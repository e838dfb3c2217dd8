// Which of the tools of all servers a model is given.
import { compileGlob } from '@codey/hooks';
import type { OfferedTool } from './catalogue.ts';
import { toolName, withDigest } from './names.ts';

export interface ServerTools {
  readonly server: string;
  readonly tools: readonly OfferedTool[];
  /** Names with `*` that the user chose; all where nothing is said. */
  readonly wanted?: readonly string[];
}

export interface ChosenTool {
  /** As the model calls it. */
  readonly name: string;
  readonly server: string;
  readonly tool: OfferedTool;
}

export interface ChosenTools {
  readonly chosen: readonly ChosenTool[];
  /** How many of each server were left out for want of room. */
  readonly leftOut: readonly { readonly server: string; readonly count: number; readonly of: number }[];
}

/** Providers take some 128 tools a request, and each is paid for in every turn. */
export const mostTools = 100;

/** Pure. In the order of the servers, each getting its share first so that one with thousands leaves room for the others. */
export function chooseTools(servers: readonly ServerTools[], most = mostTools): ChosenTools {
  const offers = servers.map(({ server, tools, wanted }) => ({
    server,
    tools: firstOfEachName(tools).filter(isWanted(wanted)),
  }));
  const shares = share(
    offers.map(({ tools }) => tools.length),
    most,
  );
  const names = new Set<string>();
  const chosen = offers.flatMap(({ server, tools }, index) =>
    tools.slice(0, shares[index]).map((tool): ChosenTool => {
      const plain = toolName(server, tool.name);
      const name = names.has(plain) ? withDigest(plain, `${server}\n${tool.name}`) : plain;
      names.add(name);
      return { name, server, tool };
    }),
  );
  const leftOut = offers.flatMap(({ server, tools }, index) => {
    const count = tools.length - (shares[index] ?? 0);
    return count === 0 ? [] : [{ server, count, of: tools.length }];
  });
  return { chosen, leftOut };
}

function firstOfEachName(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

function isWanted(wanted: readonly string[] | undefined): (tool: OfferedTool) => boolean {
  if (wanted === undefined) return () => true;
  const globs = wanted.map((text) => compileGlob(text));
  return ({ name }) => globs.some((glob) => glob.matches(name));
}

/** The small ones get all they want; what is left is divided evenly among the others. */
function share(counts: readonly number[], most: number): readonly number[] {
  const shares = counts.map(() => 0);
  let left = most;
  const bySize = counts
    .map((count, index) => ({ count, index }))
    .toSorted((one, other) => one.count - other.count);
  bySize.forEach(({ count, index }, done) => {
    const fair = Math.floor(left / (bySize.length - done));
    const given = Math.min(count, fair);
    shares[index] = given;
    left -= given;
  });
  return shares;
}
