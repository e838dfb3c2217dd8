// Every command with its arguments, flags and examples: parsing, types and help all come from this table.
import { type FlagName, flagNames } from './flags.ts';

export interface ArgumentDefinition {
  readonly name: string;
  readonly arity: 'one' | 'optional' | 'many';
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** What a shell can offer for it where its values are not listed. */
  readonly completes?: 'file' | 'directory' | 'event';
  readonly help: string;
}

export interface CommandDefinition {
  /** One line, lower case, without a full stop. */
  readonly summary: string;
  /** What one needs to know beyond the summary, in sentences. */
  readonly details?: string;
  readonly arguments: readonly ArgumentDefinition[];
  readonly flags: readonly FlagName[];
  /** Of each set at most one may be given; a name in angle brackets is an argument. */
  readonly exclusive?: readonly (readonly string[])[];
  /** Of each set one must be given. */
  readonly oneOf?: readonly (readonly string[])[];
  /** A command line and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
}

/** Flags that shape a session, whoever starts it. */
const sessionFlags = [
  'model',
  'base-url',
  'permission-mode',
  'allowed-tools',
  'max-turns',
  'no-hooks',
  'no-project-hooks',
  'trust-project-hooks',
  'bare',
  'settings',
  'cwd',
  'add-dir',
] as const satisfies readonly FlagName[];

/** Flags that say which settings files are meant. */
const placeFlags = ['settings', 'cwd'] as const satisfies readonly FlagName[];

/** What `codey` takes where no command is named. */
export const session = {
  summary: 'a coding agent that can be watched and governed at every step',
  arguments: [],
  flags: [
    'print',
    'resume',
    'continue',
    'fork-session',
    'output-format',
    'agent',
    ...sessionFlags,
    'version',
  ],
  exclusive: [
    ['resume', 'continue'],
    ['no-project-hooks', 'trust-project-hooks'],
  ],
  examples: [
    ['codey', 'talk to it in full screen'],
    ['codey -p "explain src/main.ts"', 'one run, answer on stdout'],
    ['git diff | codey -p "review this" --output-format json', 'prompt and input from a pipe'],
    ['codey -p "/agents"', 'a command of the screen, its words on stdout'],
    ['codey -continue', 'go on where you left off'],
    ['codey rehearse', 'watch a whole session without a key or network'],
  ],
} as const satisfies CommandDefinition;

export const commands = {
  rehearse: {
    summary: 'play a whole session on a scripted model and print its timeline',
    details:
      'Needs no key and no network. Outside a project it uses a sample workspace, sample hooks and a throw-away home. In a project it lists your hooks first and runs them in a copy.',
    arguments: [
      {
        name: 'script',
        arity: 'optional',
        completes: 'file',
        help: 'a story: what the model answers, and what is expected',
      },
    ],
    flags: [
      'sample',
      'live',
      'no-hooks',
      'no-project-hooks',
      'trust-project-hooks',
      'permission-mode',
      'bare',
      'settings',
      'cwd',
    ],
    exclusive: [
      ['no-project-hooks', 'trust-project-hooks'],
      ['<script>', 'sample'],
    ],
    examples: [
      ['codey rehearse', 'the built-in story with the hooks of this project'],
      ['codey rehearse story.yaml', 'a story of your own; exit 1 if what it expects does not happen'],
      ['codey rehearse --sample', 'a sample project with sample hooks'],
    ],
  },
  'hooks list': {
    summary: 'show every hook: event, matcher, condition, what runs, where it is written, its state',
    arguments: [],
    flags: ['json', ...placeFlags],
    examples: [['codey hooks list', 'what would run here']],
  },
  'hooks validate': {
    summary: 'show every problem of every settings file; exit 2 if there is one',
    arguments: [
      {
        name: 'files',
        arity: 'many',
        completes: 'file',
        help: 'settings files; by default those in force here',
      },
    ],
    flags: ['json', ...placeFlags],
    examples: [
      ['codey hooks validate', 'the files in force here'],
      ['codey hooks validate .codey/settings.json', 'one file, for instance before a commit'],
    ],
  },
  'hooks test': {
    summary: 'ask your hooks about an event: who matches, who does not and why, the verdict',
    details:
      'Runs the real selection and, unless --dry-run is given, the matching hooks. What is not given comes from the sample of the event.',
    arguments: [
      { name: 'event', arity: 'optional', completes: 'event', help: 'for instance PreToolUse; case counts' },
    ],
    flags: ['tool', 'input', 'payload', 'fixtures', 'dry-run', 'json', 'trust-project-hooks', ...placeFlags],
    exclusive: [
      ['input', 'payload', 'fixtures'],
      ['tool', 'payload', 'fixtures'],
      ['<event>', 'fixtures'],
    ],
    oneOf: [['<event>', 'fixtures']],
    examples: [
      [
        `codey hooks test PreToolUse --tool run_shell --input '{"command":"git push"}'`,
        'would this push go through?',
      ],
      ['codey hooks test Stop --dry-run', 'only show who would be asked'],
      ['codey hooks test --fixtures .codey/hooktests', 'the expectations of a team, in CI'],
    ],
  },
  'hooks why': {
    summary: 'tell from the journal why each hook did or did not run',
    arguments: [{ name: 'call', arity: 'optional', help: 'id of a tool call' }],
    flags: ['last', 'json', 'cwd'],
    exclusive: [['<call>', 'last']],
    examples: [['codey hooks why --last', 'the latest tool call']],
  },
  'hooks trace': {
    summary: 'show a session as a waterfall of turns, tools and hooks',
    arguments: [],
    flags: ['session', 'html', 'perfetto', 'json', 'cwd'],
    exclusive: [['html', 'perfetto', 'json']],
    examples: [
      ['codey hooks trace', 'the latest session, here'],
      ['codey hooks trace --html trace.html', 'the same as a page'],
    ],
  },
  'hooks trust': {
    summary: 'review and approve what this repository supplies',
    details: 'A person does this; inside a session it refuses.',
    arguments: [],
    flags: ['list', 'yes', 'revoke', 'json', 'cwd'],
    exclusive: [['list', 'yes', 'revoke']],
    examples: [
      ['codey hooks trust', 'review, then answer'],
      ['codey hooks trust --list', 'only look'],
    ],
  },
  'hooks import': {
    summary: 'convert the hooks of another agent; backs up first and overwrites nothing',
    arguments: [{ name: 'dialect', arity: 'one', choices: ['claude'], help: 'whose hooks: claude' }],
    flags: ['dry-run', 'cwd'],
    examples: [['codey hooks import claude --dry-run', 'show the difference only']],
  },
  'hooks schema': {
    summary: 'print the JSON Schema of the settings, for editors',
    arguments: [],
    flags: [],
    examples: [['codey hooks schema > codey.schema.json', 'then name it in "$schema"']],
  },
  setup: {
    summary: 'answer a few questions and save the settings (/setup inside)',
    arguments: [],
    flags: ['cwd'],
    examples: [['codey setup', 'the wizard']],
  },
  sessions: {
    summary: 'list the sessions of this project',
    arguments: [],
    flags: ['json', 'cwd'],
    examples: [['codey sessions', 'ids for codey -resume <id>']],
  },
  'mcp list': {
    summary: 'show the MCP servers and their tools',
    arguments: [],
    flags: ['json', ...placeFlags],
    examples: [['codey mcp list', 'what is configured here']],
  },
  'mcp get': {
    summary: 'show one MCP server and the names of its tools',
    arguments: [{ name: 'name', arity: 'one', help: 'as shown by codey mcp list' }],
    flags: ['json', ...placeFlags],
    examples: [['codey mcp get files', 'does it start, and what does it offer?']],
  },
  'mcp add': {
    summary: 'add an MCP server to a settings file',
    arguments: [
      { name: 'name', arity: 'one', help: 'tools are called mcp__<name>__<tool>' },
      { name: 'command', arity: 'many', help: 'program and arguments, after --' },
    ],
    flags: ['url', 'header', 'env', 'scope', 'cwd'],
    exclusive: [['<command>', 'url']],
    oneOf: [['<command>', 'url']],
    examples: [
      ['codey mcp add files -- npx -y server-files .', 'a program on this machine'],
      ['codey mcp add wiki --url https://mcp.example.com', 'a server on the network'],
    ],
  },
  'mcp remove': {
    summary: 'take an MCP server out of a settings file',
    arguments: [{ name: 'name', arity: 'one', help: 'as shown by codey mcp list' }],
    flags: ['scope', 'cwd'],
    examples: [['codey mcp remove wiki', 'forget it']],
  },
  'plugin list': {
    summary: 'show the installed plugins',
    arguments: [],
    flags: ['json', 'cwd'],
    examples: [['codey plugin list', 'names, roots and whether they are enabled']],
  },
  'plugin install': {
    summary: 'install a plugin from a directory, a git repository or a package registry',
    details:
      'Nothing that comes with it is run, and nothing of it counts before it is enabled. A person does this; inside a session it refuses.',
    arguments: [
      {
        name: 'source',
        arity: 'one',
        completes: 'directory',
        help: 'a path, a git address or the name of a package',
      },
    ],
    flags: ['cwd'],
    examples: [
      ['codey plugin install ./my-plugin', 'from a directory'],
      ['codey plugin install https://example.com/my-plugin.git#v2', 'from a git repository'],
    ],
  },
  'plugin validate': {
    summary: 'show every problem of a plugin you write; exit 2 if there is one',
    arguments: [
      {
        name: 'folder',
        arity: 'optional',
        completes: 'directory',
        help: 'where its plugin.json lies; here by default',
      },
    ],
    flags: ['cwd'],
    examples: [['codey plugin validate ./my-plugin', 'before it is published']],
  },
  'plugin enable': {
    summary: 'enable an installed plugin',
    arguments: [{ name: 'name', arity: 'one', help: 'as shown by codey plugin list' }],
    flags: ['scope', 'cwd'],
    examples: [['codey plugin enable my-plugin', 'its hooks and skills count from the next start']],
  },
  'plugin disable': {
    summary: 'disable a plugin and keep it installed',
    arguments: [{ name: 'name', arity: 'one', help: 'as shown by codey plugin list' }],
    flags: ['scope', 'cwd'],
    examples: [['codey plugin disable my-plugin', 'nothing of it is loaded']],
  },
  'plugin remove': {
    summary: 'remove an installed plugin',
    arguments: [{ name: 'name', arity: 'one', help: 'as shown by codey plugin list' }],
    flags: ['cwd'],
    examples: [['codey plugin remove my-plugin', 'delete it']],
  },
  doctor: {
    summary: 'look for what is wrong with this installation and these settings',
    arguments: [],
    flags: ['json', ...placeFlags],
    examples: [['codey doctor', 'findings with what to do']],
  },
  completions: {
    summary: 'print a script that completes commands and flags in your shell',
    arguments: [
      {
        name: 'shell',
        arity: 'one',
        choices: ['bash', 'zsh', 'fish'],
        help: 'whose script: bash, zsh or fish',
      },
    ],
    flags: [],
    examples: [
      ['codey completions bash', 'for ~/.bashrc: eval "$(codey completions bash)"'],
      ['codey completions zsh', 'for ~/.zshrc, after compinit: eval "$(codey completions zsh)"'],
      ['codey completions fish', 'for ~/.config/fish/config.fish: codey completions fish | source'],
    ],
  },
} as const satisfies Record<string, CommandDefinition>;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as CommandName[];

/** First words that need a second one, with what they are about. */
export const commandGroups: Readonly<Record<string, string>> = {
  hooks: 'look at, test, review and debug hooks',
  mcp: 'manage MCP servers',
  plugin: 'manage plugins',
};

/** The arguments of a command under their names. */
export type Arguments<Name extends CommandName> = {
  readonly [D in DefinedArguments<Name> as D extends { arity: 'one' } ? D['name'] : never]: ArgumentValue<D>;
} & {
  readonly [D in DefinedArguments<Name> as D extends { arity: 'optional' }
    ? D['name']
    : never]?: ArgumentValue<D>;
} & {
  readonly [D in DefinedArguments<Name> as D extends { arity: 'many' }
    ? D['name']
    : never]: readonly string[];
};

type DefinedArguments<Name extends CommandName> = Extract<
  (typeof commands)[Name]['arguments'][number],
  ArgumentDefinition
>;

type ArgumentValue<D> = D extends { choices: readonly (infer Choice)[] } ? Choice : string;

/** The commands that take a flag, for messages about a flag in the wrong place. */
export function commandsWithFlag(flag: FlagName): readonly CommandName[] {
  return commandNames.filter((name) => (commands[name].flags as readonly FlagName[]).includes(flag));
}

/** All flags that the help of a command names, in the order of the table. */
export function flagsOf(definition: CommandDefinition): readonly FlagName[] {
  return flagNames.filter((name) => definition.flags.includes(name) || name === 'help');
}
