// Which code each mode loads. Starting is paid by everybody, so that what only some need has to wait until it is needed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startWireServer, type WireName, type WireServer } from '@codey/agent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, callScript } from './play.ts';
import { group } from './settings.ts';
import { keys, startWizard } from './setup/wizard.ts';
import { createStage, type RunOptions, shellScript, type Stage } from './stage.ts';
import { openTerminal } from './tui-terminal.ts';

const tracer = new URL('fixtures/trace-modules.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('..', import.meta.url));

let stage: Stage;
let server: WireServer | undefined;
beforeEach(() => {
  stage = createStage();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  stage.remove();
});

interface Loaded {
  /** Files that are run, relative to the program's folder. */
  readonly modules: readonly string[];
  /** Packages of others that are inside them, but for the chunk with what is seldom needed. */
  readonly packages: readonly string[];
  /** The same of our own sources, as `agent/src/loop/run.ts`. */
  readonly sources: readonly string[];
  /** Node's own modules, public ones and inner ones. */
  readonly builtins: readonly string[];
  /** What was first asked for of the chunk with what is seldom needed, and where. */
  readonly seldom: string | undefined;
}

async function load(
  start: (options: RunOptions) => Promise<{ readonly code: number | null }>,
): Promise<Loaded> {
  const trace = path.join(stage.home, 'modules');
  const run = await start({ environment: { NODE_OPTIONS: `--import=${tracer}`, TRACE_MODULES: trace } });
  expect(run.code).toBe(0);
  const lines = readFileSync(trace, 'utf8').split('\n');
  const files = lines.filter((line) => path.isAbsolute(line));
  const inside = files.filter((file) => !path.basename(file).startsWith('seldom-')).flatMap(sourcesIn);
  return {
    modules: files.map((file) => path.relative(program, file)),
    packages: unique(inside.flatMap((source) => packageOf(source))),
    sources: unique(inside.flatMap((source) => ownName(source))),
    builtins: unique(lines.filter((line) => line.startsWith('node:'))),
    seldom: lines.find((line) => line.startsWith('asked: '))?.slice('asked: '.length),
  };
}

/** Each chunk names the files it was made of in comments at its head. */
function sourcesIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^\s*\/\/ ((?:\.\.\/|src\/)\S+)$/.exec(line)?.[1] ?? []);
}

function packageOf(source: string): readonly string[] {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
  return name === undefined ? [] : [name];
}

function ownName(source: string): readonly string[] {
  if (source.startsWith('src/')) return [`codey/${source}`];
  return /^\.\.\/(?:agent|hooks)\//.test(source) ? [source.slice('../'.length)] : [];
}

/** Variables for a program in a terminal. */
function given(environment: RunOptions['environment'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/** Every chunk that the program as it was built last may load. */
function reachable(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\brequire\("(\.[^"]+)"\)/g))
    reachable(path.join(path.dirname(file), name), found);
  return found;
}

/** What every session needs: settings with comments, schemas, the name of a project's folder. */
const always = ['@noble/hashes', '@valibot/to-json-schema', 'jsonc-parser', 'valibot'];

/** What only one of the modes needs. */
const modes = /^codey\/src\/(?:modes\/(?:print|interactive|rehears)|tui\/)/;

it('no chunk calls import(), which a script of the loader does not have', () => {
  const chunks = [...reachable(path.join(program, 'dist/main.cjs'))];
  expect(chunks.length).toBeGreaterThan(50);
  expect(chunks.filter((file) => /\bimport\(/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it('what is seldom needed is named by paths that exist', () => {
  const root = path.join(program, '../..');
  const names = readFileSync(path.join(root, 'scripts/seldom-modules.txt'), 'utf8').trimEnd().split('\n');
  expect(names).toEqual(unique(names));
  expect(names.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

const leaves = 'its module does not belong into scripts/seldom-modules.txt any more';

describe('what is loaded', () => {
  it('for --version is nothing but the door', async () => {
    for (const flag of ['--version', '-version', '-v']) {
      expect((await load((options) => stage.codey([flag], options))).modules).toEqual(['bin/codey.js']);
      stage.write('~/modules', '');
    }
  });

  it('for --help and a mistyped flag is neither the engine nor the agent', async () => {
    const { packages, sources } = await load((options) => stage.codey(['--help'], options));
    expect(packages).toEqual([]);
    // What a mistyped word probably meant.
    const words = 'hooks/src/config/suggest.ts';
    expect(sources.filter((source) => !source.startsWith('codey/'))).toEqual([words]);
    expect(sources).not.toContain('codey/src/start/session.ts');
  });

  it.each([
    ['without hooks', {}],
    [
      'with hooks of the user',
      { PreToolUse: [group('true', 'run_shell')], Stop: [group('true')], run_end: ['true'] },
    ],
  ])('for a run %s is nothing of what is seldom needed', async (_, hooks) => {
    stage.write('~/.codey/settings.json', { hooks });
    const { seldom } = await load((options) =>
      stage.prompt(shellScript('echo hi'), { ...options, args: bypass }),
    );
    expect(seldom, leaves).toBeUndefined();
  });

  it('is what is seldom needed once something of it is called', async () => {
    const { seldom } = await load((options) =>
      stage.prompt(callScript('glob_search', { pattern: '**/*.ts' }), options),
    );
    expect(seldom).toMatch(/^\w+ in .*\/dist\/chunks\/session-/);
  });

  it('for hooks validate and list is no mode', async () => {
    for (const command of ['validate', 'list']) {
      const { packages, sources } = await load((options) => stage.codey(['hooks', command], options));
      expect(packages.filter((name) => !always.includes(name))).toEqual([]);
      expect(sources).toContain('hooks/src/config/load.ts');
      expect(sources.filter((source) => modes.test(source))).toEqual([]);
      stage.write('~/modules', '');
    }
  });

  it('for a run on a script are no provider, no screen, no grammar and no herdr', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: { PreToolUse: [group('true', 'edit_file|write_file')], run_end: ['true'] },
    });
    const { packages, sources } = await load((options) =>
      stage.prompt(callScript('read_file', { path: '.git/HEAD' }), options),
    );
    expect(packages).toEqual(always);
    expect(sources).toContain('agent/src/model/scripted.ts');
    // Of herdr only the look at three variables, of the wizard only what is missing and kept.
    const foreign =
      /^codey\/src\/(?:tui|setup\/(?!key-file|missing-steps|put-file)|commands\/(?!run\.ts))|^hooks\/src\/herdr\/(?!detect)/;
    expect(sources.filter((source) => foreign.test(source))).toEqual([]);
  });

  it('of OpenTelemetry is what sends, and only where settings name a collector', async () => {
    const run = (options: RunOptions) => stage.prompt([{ text: 'hi' }], options);
    const loaded = async () => {
      const { packages, sources } = await load(run);
      return {
        packages: packages.filter((name) => name.startsWith('@opentelemetry/')),
        sources: sources.filter((source) => source.startsWith('codey/src/telemetry/')),
      };
    };
    stage.write('~/.codey/settings.json', { telemetry: {} });
    expect(await loaded()).toEqual({ packages: [], sources: [] });
    stage.write('~/modules', '');
    stage.write('~/.codey/settings.json', { telemetry: { otlpEndpoint: 'http://127.0.0.1:1' } });
    const { packages, sources } = await loaded();
    expect(sources).toContain('codey/src/telemetry/reporter.ts');
    expect(packages).toContain('@opentelemetry/sdk-trace');
    expect(packages).not.toContain('@opentelemetry/sdk-metrics');
  });

  it.each([
    [
      'a script in YAML',
      ['yaml'],
      (options: RunOptions) => {
        const file = stage.write('~/script.yaml', '- text: hi\n');
        return stage.codey(['-p', 'hi', '--model', `script:${file}`], options);
      },
    ],
    [
      'a command line that is no single command',
      ['web-tree-sitter'],
      (options: RunOptions) => stage.prompt(shellScript('echo a && echo b'), { ...options, args: bypass }),
    ],
    [
      'files by their names',
      [],
      (options: RunOptions) => stage.prompt(callScript('glob_search', { pattern: '**/*.ts' }), options),
    ],
    [
      'an edit',
      [],
      (options: RunOptions) =>
        stage.prompt(callScript('write_file', { path: 'a.txt', content: 'a' }), { ...options, args: bypass }),
    ],
  ] as const)('for %s is what that needs', async (_, needed, start) => {
    const { packages } = await load(start);
    expect(packages).toEqual([...always, ...needed].sort());
  });

  it.each([
    ['sessions', ['sessions'], 'codey/src/commands/sessions.ts'],
    ['mcp list without servers', ['mcp', 'list'], 'codey/src/commands/mcp-list.ts'],
    ['plugin list', ['plugin', 'list'], 'codey/src/commands/plugin-list.ts'],
    ['hooks schema', ['hooks', 'schema'], 'codey/src/commands/hooks-schema.ts'],
    ['hooks trust --list', ['hooks', 'trust', '--list'], 'codey/src/commands/hooks-trust.ts'],
    ['completions', ['completions', 'zsh'], 'codey/src/commands/completions.ts'],
  ])('for %s is that command', async (_, args, own) => {
    const { packages, sources } = await load((options) => stage.codey(args, options));
    expect(sources).toContain(own);
    expect(packages.filter((name) => !always.includes(name))).toEqual([]);
    expect(sources.filter((source) => modes.test(source))).toEqual([]);
  });

  it('for doctor is no mode', async () => {
    stage.write('~/.codey/settings.json', { model: 'script:missing.yaml' });
    const { packages, sources } = await load(async (options) => {
      // It exits with 1 where it finds something.
      expect((await stage.codey(['doctor'], options)).stdout).toContain('missing.yaml');
      return { code: 0 };
    });
    expect(packages.filter((name) => !always.includes(name))).toEqual(['web-tree-sitter']);
    expect(sources.filter((source) => modes.test(source))).toEqual([]);
  });

  it('for a rehearsal is a run whose lines and story are read, and no screen', async () => {
    const { packages, sources } = await load((options) => stage.codey(['rehearse', '--sample'], options));
    expect(packages).toEqual([...always, 'web-tree-sitter', 'yaml'].sort());
    expect(sources).toContain('codey/src/modes/rehearse.ts');
    expect(sources.filter((source) => source.startsWith('codey/src/tui/'))).toEqual([]);
  });

  it('for the wizard is no mode', async () => {
    const { packages, sources } = await load(async ({ environment }) => {
      const wizard = startWizard({ home: stage.home, cwd: stage.project, environment: given(environment) });
      await wizard.reads('?');
      wizard.press(keys.interrupt);
      await wizard.ended;
      return { code: 0 };
    });
    expect(packages.filter((name) => !always.includes(name))).toEqual([]);
    expect(sources).toContain('codey/src/setup/wizard.ts');
    expect(sources.filter((source) => modes.test(source))).toEqual([]);
  });

  it('for the full screen is what draws it, but no provider and no grammar', async () => {
    const { packages, sources, seldom } = await load(async ({ environment }) => {
      const terminal = openTerminal(stage, [], { environment: given(environment) });
      await terminal.see(/Ask for something/);
      terminal.send('/quit\r');
      return { code: await terminal.ended };
    });
    // Those of highlight.js come behind the first frame, or not at all where the session is shorter.
    const drawing = [
      '@earendil-works/pi-tui',
      'diff',
      'get-east-asian-width',
      'marked',
      'marked-cjk-friendly',
    ];
    expect(packages.filter((name) => name !== 'highlight.js')).toEqual([...always, ...drawing].sort());
    expect(sources).toContain('codey/src/tui/app.ts');
    expect(seldom, leaves).toBeUndefined();
    expect(sources).not.toContain('codey/src/modes/print.ts');
  });

  const pane = {
    HERDR_ENV: '1',
    HERDR_PANE_ID: 'w1:p1',
    HERDR_BIN_PATH: '/nowhere/herdr',
  };
  const ofHerdr = /herdr|report-for-pane/;

  async function loadScreen(environment: Readonly<Record<string, string>>): Promise<Loaded> {
    return load(async (options) => {
      const terminal = openTerminal(stage, [{ text: 'hi' }], {
        environment: { ...environment, ...(options.environment as Record<string, string>) },
      });
      await terminal.see(/Ask for something/);
      await terminal.type('\u0003', /Ctrl\+C again leaves/);
      terminal.send('\u0003');
      return { code: await terminal.ended };
    });
  }

  it.each([
    ['none of them', {}],
    ['no HERDR_ENV', { ...pane, HERDR_ENV: '' }],
    ['another HERDR_ENV', { ...pane, HERDR_ENV: '0' }],
    ['no HERDR_PANE_ID', { ...pane, HERDR_PANE_ID: '' }],
    ['no HERDR_BIN_PATH', { ...pane, HERDR_BIN_PATH: '' }],
  ])(
    'for the screen with %s is nothing of herdr but the look at its variables [codey.herdr.no-probing]',
    async (_, environment) => {
      const { sources } = await loadScreen(environment);
      expect(sources.filter((source) => ofHerdr.test(source))).toEqual(['hooks/src/herdr/detect.ts']);
    },
  );

  it('for the screen in a pane of herdr is the reporter, and nothing else besides', async () => {
    const [outside, inside] = [await loadScreen({}), await loadScreen(pane)];
    const more = inside.sources.filter((source) => !outside.sources.includes(source));
    expect(more).toContain('hooks/src/herdr/reporter.ts');
    expect(more.filter((source) => !ofHerdr.test(source))).toEqual([]);
    expect(inside.packages).toEqual(outside.packages);
  });

  const clients = ['anthropic', 'google', 'openai', 'openai-compatible'];

  it.each<readonly [WireName, string]>([
    ['anthropic', 'ANTHROPIC'],
    ['openai', 'OPENAI'],
    ['google', 'GEMINI'],
    ['openai-compatible', 'OPENAI_COMPATIBLE'],
  ])(
    'for a run on %s is its client and no other, and neither undici nor the web’s streams',
    async (wire, variables) => {
      const running = await startWireServer({ wire, story: [{ kind: 'turn', text: 'hi' }] });
      server = running;
      const { packages, sources, builtins, seldom } = await load(({ environment }) =>
        stage.codey(['-p', 'hi', '--model', `${wire}/any`, '--base-url', running.url], {
          environment: { ...environment, [`${variables}_API_KEY`]: 'k' },
        }),
      );
      expect(clients.filter((client) => packages.includes(`@ai-sdk/${client}`))).toEqual([wire]);
      expect(seldom, leaves).toBeUndefined();
      for (const foreign of [
        'yaml',
        'web-tree-sitter',
        '@earendil-works/pi-tui',
        'htmlparser2',
        'highlight.js',
      ])
        expect(packages).not.toContain(foreign);
      expect(sources).not.toContain('agent/src/model/scripted.ts');
      expect(builtins).toContain('node:http');
      expect(
        builtins.filter((name) => /undici|webstreams\/(?:readable|writable|transform)/.test(name)),
      ).toEqual([]);
    },
  );
});
