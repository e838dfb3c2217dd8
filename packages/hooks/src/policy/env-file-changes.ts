// Which variables an env file set, and which of them a session takes over. Pure.

/** Null for a variable that was taken away. */
export type VariableChanges = Readonly<Record<string, string | null>>;

type Variables = Readonly<Record<string, string>>;

/** One variable. The kernel takes no entry above 128 KiB, and then no program would start any more. */
const longestValue = 64 * 1024;
/** All of them together; the kernel's own limit includes the arguments of a command. */
const longestEnvironment = 512 * 1024;

/** Every name in `after` that is new or has another value than in `before`; complaints end a sentence about the file. */
export function diffVariables(
  before: Variables,
  after: Variables,
): { readonly values: VariableChanges; readonly complaints: readonly string[] } {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(
    (name) => isName(name) && !bookkeeping.has(name) && before[name] !== after[name],
  );
  const refused = names.filter(isRefused);
  const tooLong = names.filter((name) => !isRefused(name) && (after[name] ?? '').length > longestValue);
  const kept = names.filter((name) => !isRefused(name) && !tooLong.includes(name));
  const values = Object.fromEntries(kept.map((name) => [name, after[name] ?? null]));
  const complaints = [
    ...refused.map((name) => `it may not change ${name}, which stays as it was`),
    ...tooLong.map((name) => `${name} is longer than 64 KiB and does not count`),
  ];
  return sizeOf({ ...before, ...values }) > longestEnvironment
    ? {
        values: {},
        complaints: [...complaints, 'with it the environment would pass 512 KiB, so nothing of it counts'],
      }
    : { values, complaints };
}

/** Shells keep accounts in their environment, and pass functions on under names that are none. */
const bookkeeping: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', 'SHELLOPTS', 'BASHOPTS']);

function isName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** What loads code into every program, what shells run before their line, and what is ours or herdr's to say. */
function isRefused(name: string): boolean {
  return /^(?:CODEY_|KODER_|HERDR_|LD_|DYLD_)|^(?:BASH_ENV|ENV)$/.test(name);
}

function sizeOf(variables: VariableChanges): number {
  return Object.entries(variables).reduce(
    (sum, [name, value]) => sum + name.length + (value?.length ?? 0) + 2,
    0,
  );
}
