// What strangers install: the contents of each package, its types, and the engine used from its packed file.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packAll, type Packaged, packageNames } from './packaged.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let packaged: Packaged;

beforeAll(() => {
  packaged = packAll(root);
}, 240_000);
afterAll(() => packaged?.remove());

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(packaged.packageDir(name), 'package.json'), 'utf8'));
}

/** What an installed tool prints; throws with that where the tool found something. */
function tool(name: string, args: readonly string[], cwd: string): string {
  const program = join(root, 'node_modules/.bin', name);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

describe.each(packageNames)('the package of %s', (name) => {
  it('holds what it needs and nothing else', () => {
    const wanted = {
      hooks: /^(?:dist\/.*\.(?:js|d\.ts|wasm)|dist\/third-party-licenses\.txt|schema\/\w+(?:\.\w+)?\.json)$/,
      agent: /^dist\/.*\.(?:js|d\.ts)$/,
      codey:
        /^(?:bin\/(?:[\w-]+\.js|package\.json)|dist\/(?:main\.\w+|chunks\/[\w.-]+|[\w-]+\.wasm|third-party-licenses\.txt))$/,
    }[name];
    const files = packaged.files(name);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const others = files.filter((file) => !['LICENSE', 'README.md', 'package.json'].includes(file));
    expect(others.filter((file) => !wanted.test(file))).toEqual([]);
  });

  it('has every file that its exports and commands name', () => {
    const { exports = {}, bin = {} } = manifestOf(name);
    const named = [
      ...Object.values(exports).flatMap((target) =>
        typeof target === 'string' ? [target] : [target.types, target.default],
      ),
      ...Object.values(bin),
    ];
    const files = new Set(packaged.files(name));
    expect(named.filter((file) => !files.has(file.replace(/^\.\//, '')))).toEqual([]);
  });

  it('has nothing for publint to object to', () => {
    expect(
      tool('publint', ['run', packaged.packageDir(name), '--strict', '--pack', 'false'], root),
    ).toContain('All good!');
  });
});

it.each(['hooks', 'agent'])('the types of %s resolve for every module system it is made for', (name) => {
  expect(() =>
    tool('attw', [packaged.tarball(name), '--profile', 'esm-only'], packaged.folder),
  ).not.toThrow();
});

it('the engine depends on four packages, and the program on none that it does not bundle', () => {
  expect(Object.keys(manifestOf('hooks').dependencies ?? {})).toEqual([
    'jsonc-parser',
    're2js',
    'valibot',
    'web-tree-sitter',
  ]);
  expect(manifestOf('codey').dependencies).toBeUndefined();
});

describe('@codey/hooks installed from its packed file', () => {
  let project: string;

  beforeAll(() => {
    project = join(packaged.folder, 'project');
    mkdirSync(project);
    // Nothing is fetched: dependencies are the installed ones, and npm takes nothing that is not declared.
    const overrides = Object.fromEntries(
      Object.keys(manifestOf('hooks').dependencies ?? {}).map((dependency) => [
        dependency,
        `file:${join(root, 'node_modules', dependency)}`,
      ]),
    );
    const dependencies = { '@codey/hooks': `file:${packaged.tarball('hooks')}` };
    write('package.json', JSON.stringify({ private: true, type: 'module', dependencies, overrides }));
    const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...quietly, '--cache', join(packaged.folder, 'cache')], {
      cwd: project,
      stdio: 'pipe',
    });
  });

  function write(file: string, text: string): void {
    writeFileSync(join(project, file), text);
  }

  const example = readFileSync(join(root, 'examples/embed-agent/agent.ts'), 'utf8');

  it('type-checks the example agent, strictly and with the declarations of libraries', () => {
    write('agent.ts', example);
    write(
      'all.ts',
      `${Object.keys(manifestOf('hooks').exports ?? {})
        .filter((path) => !path.endsWith('.json'))
        .map((path, index) => `export * as part${index} from '@codey/hooks${path.slice(1)}';`)
        .join('\n')}\n`,
    );
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          target: 'ES2022',
          module: 'NodeNext',
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
        },
        files: ['agent.ts', 'all.ts'],
      }),
    );
    expect(tool('tsc', ['-p', project], project)).toBe('');
  });

  it('keeps a command back in plain JavaScript', () => {
    mkdirSync(join(project, 'home/.codey'), { recursive: true });
    const hook = {
      type: 'command',
      command: 'echo "a person pushes here" >&2; exit 2',
      if: 'shell(git push*)',
    };
    write('home/.codey/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
    write(
      'use.js',
      `import { createToolGate, openHooks } from '@codey/hooks';
       const [projectRoot, home] = process.argv.slice(2);
       const hooks = await openHooks({ projectRoot, home, environment: process.env, notify: console.error });
       const call = { tool: 'shell', input: { command: 'cd app && bash -c "git push"' } };
       console.log(JSON.stringify(await createToolGate(hooks).call(call, async () => 'pushed')));
       await hooks.close();`,
    );
    const said = execFileSync(process.execPath, ['use.js', project, join(project, 'home')], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toEqual({ kind: 'refused', reason: 'a person pushes here' });
    expect(existsSync(join(project, '.codey/events.jsonl'))).toBe(true);
  });
});

it.each(['hooks', 'codey'])('the licences of all that is in %s are passed on', (name) => {
  const notices = readFileSync(join(packaged.packageDir(name), 'dist/third-party-licenses.txt'), 'utf8');
  for (const asset of packaged.files(name).filter((file) => file.endsWith('.wasm')))
    expect(notices).toMatch(new RegExp(`^${basename(asset, '.wasm')} [\\d.]+$`, 'm'));
  const bundled = packaged
    .files(name)
    .filter((file) => file.endsWith('.cjs'))
    .flatMap((file) => [
      ...readFileSync(join(packaged.packageDir(name), file), 'utf8').matchAll(
        /^\s*\/\/ \.\.\/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
      ),
    ])
    .map(([, bundledName]) => bundledName);
  expect(bundled.length > 0).toBe(name === 'codey');
  for (const dependency of new Set(bundled)) expect(notices).toContain(`\n${dependency} `);
});

describe('the program unpacked far from the repository', () => {
  let folder: string;
  let bin: string;

  beforeAll(() => {
    folder = join(packaged.folder, 'program');
    mkdirSync(join(folder, 'home'), { recursive: true });
    execFileSync('tar', ['-xzf', packaged.tarball('codey'), '-C', folder]);
    bin = join(folder, 'package', manifestOf('codey').bin?.codey ?? '');
  });

  function codey(...args: readonly string[]): string {
    return spawnSync(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...process.env, HOME: join(folder, 'home') },
      encoding: 'utf8',
    }).stdout;
  }

  it('explains itself', () => {
    expect(codey('hooks', '--help')).toContain('codey hooks test');
  });

  it('keeps what it compiled in the home, and starts from that', () => {
    codey('--help');
    const starts = JSON.parse(codey('doctor', '--json')).findings.find(
      ({ about }: { about: string }) => about === 'starts',
    );
    expect(starts).toMatchObject({
      state: 'ok',
      what: expect.stringContaining(`taken from ${join(folder, 'home/.codey/cache')}`),
    });
  });

  it('reads command lines with a grammar of its own, and says where that is gone', () => {
    const asks = () =>
      JSON.parse(codey('doctor', '--json')).findings.find(
        ({ about }: { about: string }) => about === 'commands',
      );
    expect(asks()).toMatchObject({ state: 'ok' });
    rmSync(join(folder, 'package/dist/tree-sitter-bash.wasm'));
    expect(asks()).toMatchObject({
      state: 'problem',
      what: expect.stringContaining('tree-sitter-bash.wasm was not found'),
    });
  });
});
