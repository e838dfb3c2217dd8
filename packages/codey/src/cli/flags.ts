// Every flag of the program: parsing, help and suggestions all come from this table.

/** What a flag takes and what its value becomes. */
export type FlagDefinition = FlagValueKind & {
  /** Heading it stands under in the help. */
  readonly group: FlagGroup;
  /** One sentence without a full stop. */
  readonly help: string;
  /** A one-letter name. */
  readonly short?: string;
};

type FlagValueKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly value: string }
  /** Its value may be left out, as in `-resume`. */
  | { readonly kind: 'optional'; readonly value: string }
  /** A whole number from 1. */
  | { readonly kind: 'count'; readonly value: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** May be given several times; with `commas` each value may itself be a list. */
  | { readonly kind: 'list'; readonly value: string; readonly commas: boolean };

export const flagGroups = [
  'This command',
  'Prompt and session',
  'Model',
  'Permissions and tools',
  'Hooks',
  'Place',
  'Output',
  'About',
] as const;
export type FlagGroup = (typeof flagGroups)[number];

export const flags = {
  print: {
    kind: 'optional',
    value: '[prompt]',
    short: 'p',
    group: 'Prompt and session',
    help: 'one run without a screen; the prompt may also come on stdin, or be a command such as /peers',
  },
  resume: {
    kind: 'optional',
    value: '[id]',
    group: 'Prompt and session',
    help: 'reopen a session; without an id choose from a list',
  },
  continue: {
    kind: 'switch',
    group: 'Prompt and session',
    help: 'reopen the latest session of this project',
  },
  'fork-session': {
    kind: 'switch',
    group: 'Prompt and session',
    help: 'with -resume or -continue: work on a copy and leave the original as it is',
  },
  'output-format': {
    kind: 'choice',
    choices: ['text', 'json', 'stream-json'],
    group: 'Prompt and session',
    help: 'with -p: the answer alone, one JSON object, or one event a line',
  },
  'max-turns': {
    kind: 'count',
    value: '<n>',
    group: 'Prompt and session',
    help: 'end a run after this many model calls',
  },
  agent: {
    kind: 'text',
    value: '<name>',
    group: 'Prompt and session',
    help: 'let an agent defined in .codey/agents answer the prompts',
  },
  model: {
    kind: 'text',
    value: '<provider>/<name>',
    group: 'Model',
    help: 'the model, for instance anthropic/…, openai/…, google/…, or script:<file> for a scripted one',
  },
  'base-url': {
    kind: 'text',
    value: '<url>',
    group: 'Model',
    help: 'where the provider answers, for openai-compatible/… and proxies',
  },
  'permission-mode': {
    kind: 'choice',
    choices: ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'],
    group: 'Permissions and tools',
    help: 'what runs without asking',
  },
  'allowed-tools': {
    kind: 'list',
    value: '<rules>',
    commas: true,
    group: 'Permissions and tools',
    help: 'allow rules for this run, such as "read_file,run_shell(git log*)"',
  },
  'no-hooks': {
    kind: 'switch',
    group: 'Hooks',
    help: 'run no hook that you can edit, and do not report to herdr',
  },
  'no-project-hooks': {
    kind: 'switch',
    group: 'Hooks',
    help: "leave out this repository's hooks, keep yours",
  },
  'trust-project-hooks': {
    kind: 'switch',
    group: 'Hooks',
    help: "run this repository's hooks without a review (for CI)",
  },
  bare: {
    kind: 'switch',
    group: 'Hooks',
    help: 'skip SessionStart, Setup and InstructionsLoaded, and load no AGENTS.md',
  },
  settings: { kind: 'text', value: '<file>', group: 'Place', help: 'one more settings file, ahead of yours' },
  cwd: { kind: 'text', value: '<dir>', group: 'Place', help: 'start in this directory' },
  'add-dir': {
    kind: 'list',
    value: '<dir>',
    commas: false,
    group: 'Place',
    help: 'one more directory that counts as inside the workspace (repeatable)',
  },
  json: { kind: 'switch', group: 'Output', help: 'print JSON' },
  tool: { kind: 'text', value: '<name>', group: 'This command', help: 'tool the event is about' },
  input: { kind: 'text', value: '<json>', group: 'This command', help: "the call's input" },
  payload: { kind: 'text', value: '<file>', group: 'This command', help: 'the whole payload, as JSON' },
  fixtures: {
    kind: 'text',
    value: '<dir>',
    group: 'This command',
    help: 'run every *.hooktest.yaml below it; exit 1 if an expectation fails',
  },
  'dry-run': { kind: 'switch', group: 'This command', help: 'show what would happen and change nothing' },
  last: { kind: 'switch', group: 'This command', help: 'the latest tool call' },
  sample: { kind: 'switch', group: 'This command', help: 'the built-in story in a sample project' },
  live: {
    kind: 'switch',
    group: 'This command',
    help: 'also run http, prompt and agent hooks, which reach beyond this machine',
  },
  session: {
    kind: 'text',
    value: '<id>',
    group: 'This command',
    help: 'which session; the latest by default',
  },
  html: { kind: 'text', value: '<file>', group: 'This command', help: 'write a page for a browser' },
  perfetto: { kind: 'text', value: '<file>', group: 'This command', help: 'write a trace for Perfetto' },
  list: { kind: 'switch', group: 'This command', help: 'show what is trusted and what waits' },
  yes: { kind: 'switch', group: 'This command', help: 'approve without asking' },
  revoke: { kind: 'switch', group: 'This command', help: 'take the approval back' },
  url: { kind: 'text', value: '<url>', group: 'This command', help: 'a server that is reached by HTTP' },
  header: {
    kind: 'list',
    value: '<name: value>',
    commas: false,
    group: 'This command',
    help: 'a header to send with each request (repeatable)',
  },
  env: {
    kind: 'list',
    value: '<NAME=value>',
    commas: false,
    group: 'This command',
    help: 'a variable for the server (repeatable)',
  },
  scope: {
    kind: 'choice',
    choices: ['user', 'project', 'local'],
    group: 'This command',
    help: 'which settings file to write',
  },
  help: { kind: 'switch', short: 'h', group: 'About', help: 'explain the command' },
  version: { kind: 'switch', short: 'v', group: 'About', help: 'print the version' },
} as const satisfies Record<string, FlagDefinition>;

export type FlagName = keyof typeof flags;

export const flagNames = Object.keys(flags) as FlagName[];

/** The parsed values of some flags under their camelCase names: switches and lists always, the others where given. */
export type Flags<Name extends FlagName> = {
  readonly [N in Name as (typeof flags)[N]['kind'] extends 'switch' | 'list'
    ? Camel<N>
    : never]: FlagValue<N>;
} & {
  readonly [N in Name as (typeof flags)[N]['kind'] extends 'switch' | 'list'
    ? never
    : Camel<N>]?: FlagValue<N>;
};

type FlagValue<N extends FlagName> = (typeof flags)[N] extends { kind: 'switch' }
  ? boolean
  : (typeof flags)[N] extends { kind: 'list' }
    ? readonly string[]
    : (typeof flags)[N] extends { kind: 'count' }
      ? number
      : (typeof flags)[N] extends { kind: 'optional' }
        ? { readonly value?: string }
        : (typeof flags)[N] extends { choices: readonly (infer Choice)[] }
          ? Choice
          : string;

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** `dry-run` as `dryRun`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `--output-format text|json|stream-json`, as help and messages show a flag. */
export function flagUsage(name: FlagName): string {
  const flag: FlagDefinition = flags[name];
  const spelled = flag.short === undefined ? `--${name}` : `-${flag.short}, --${name}`;
  switch (flag.kind) {
    case 'switch':
      return spelled;
    case 'choice':
      return `${spelled} ${flag.choices.join('|')}`;
    case 'text':
    case 'optional':
    case 'count':
    case 'list':
      return `${spelled} ${flag.value}`;
  }
}
