// The shell script that evaluates an env file. Variables go to stdout with `env -0`, messages to stderr, a line each:
// `unparsed …`, `ended CODE`, `bad NUMBER`.

/** Found beforehand and named in full, since the file may set PATH. */
const printVariables = '{ /usr/bin/env -0 || /bin/env -0; } 2>/dev/null >&3';

/**
 * What the file prints or reads goes nowhere; our own descriptors are out of its way. The trap prints the variables of
 * a file that ends the shell (`exit`, `set -e`, an unset variable); an end in the normal way takes the trap off.
 * `export -p` of bash writes `declare -x`, which other shells do not know. All on one line, which the shell has read
 * before an alias in the file could change what it means.
 */
const begin =
  'exec 3>&1 4>&2 </dev/null >/dev/null 2>&1; ' +
  'command -v declare || declare() { [ "$1" = -x ] && shift && export "$@"; }; ' +
  `trap 'echo "ended $?" >&4; ${printVariables}' EXIT; `;
const finish = `; trap - EXIT; ${printVariables}; exit 0`;

/** Evaluates the file named by `$0`, unless it does not parse: a shell would have run half of it by then. */
export const evaluateScript =
  '/bin/sh -n "$0" >/dev/null 2>&1 || { printf "unparsed " >&2; /bin/sh -n "$0"; exit 0; }; ' +
  `${begin}. "$0"${finish}`;

/**
 * A file that evaluates lines one by one; each is tried in a shell of its own first, where it cannot end the others.
 * Its values stand in the file and never among the arguments of a process, which everybody can read.
 */
export function tryLines(lines: readonly { readonly line: string; readonly number: number }[]): string {
  const tries = lines.map(({ line, number }) => {
    const quoted = `'${line.replaceAll("'", "'\\''")}'`;
    return `if (eval ${quoted}); then eval ${quoted}; else echo "bad ${number}" >&4; fi\n`;
  });
  return tries.join('');
}

export function isExportLine(line: string): boolean {
  return /^\s*(?:export|declare\s+-x)\s/.test(line);
}

/** Somebody wrote lines and none of them can have an effect: most often `NAME=value` without `export`. */
export function exportsNothing(text: string): boolean {
  return /^\s*[^#\s]/m.test(text) && !/\b(?:export|declare|unset|set|eval)\b|^\s*\.\s/m.test(text);
}
