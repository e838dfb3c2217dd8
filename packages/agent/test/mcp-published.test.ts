// MCP servers that others have published, fetched into a temporary folder; without a network nothing of this is tested.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProcessHost, type ProcessHost } from '@codey/hooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDefinition } from '../src/mcp/definition.ts';
import { parseForm } from '../src/mcp/form-schema.ts';
import { createMcp, type Mcp, type McpOptions } from '../src/mcp/mcp.ts';
import { createToolWorld, type ToolWorld } from '../src/tools/tool-world.ts';

const never = new AbortController().signal;
let root: string;
let servers: string;
/** Why they are not there. */
let missing: string | undefined;
let processes: ProcessHost;
let world: ToolWorld;
let mcp: Mcp | undefined;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'mcp-published-')));
  servers = join(root, 'servers');
  await cp(fileURLToPath(new URL('mcp-servers', import.meta.url)), servers, { recursive: true });
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
  missing = await promisify(execFile)('npm', args, { cwd: servers, timeout: 120_000 }).then(
    () => undefined,
    (error: Error) => `the servers could not be fetched: ${error.message.split('\n')[0]}`,
  );
}, 150_000);
afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(async (context) => {
  context.skip(missing !== undefined, missing);
  processes = createProcessHost();
  world = await createToolWorld();
});
afterEach(async () => {
  if (missing !== undefined) return;
  await mcp?.close();
  mcp = undefined;
  expect(await processes.settle(10_000)).toBe(true);
  await world.dispose();
});

const program = (name: string) => join(servers, 'node_modules/.bin', `mcp-server-${name}`);

async function open(
  name: string,
  args: readonly string[],
  elicit: McpOptions['elicit'] = async () => ({ action: 'decline' }),
): Promise<Mcp> {
  return openDefinition(name, { command: program(name), args }, elicit);
}

async function openDefinition(name: string, definition: object, elicit: McpOptions['elicit']): Promise<Mcp> {
  mcp = createMcp({
    definitions: [
      parseDefinition(name, definition, { place: 'settings.json', fromRepository: false, environment: {} }),
    ],
    program: { name: 'codey', version: '0.0.0' },
    cwd: world.workspace,
    roots: () => [world.workspace],
    environment: () => ({
      PATH: process.env.PATH ?? '',
      HOME: root,
      MEMORY_FILE_PATH: join(world.workspace, 'memory.jsonl'),
    }),
    withhold: () => [],
    processes,
    elicit,
    notice: () => {},
    onChange: () => {},
  });
  await mcp.ready(never);
  return mcp;
}

function call(name: string, input: object) {
  const tool = mcp?.tools().find((one) => one.name === name);
  if (tool === undefined)
    throw new Error(
      `there is no ${name} among ${mcp
        ?.tools()
        .map((one) => one.name)
        .join(', ')}`,
    );
  return world.call(tool, input);
}

describe('a server of files', () => {
  it('reads, writes and refuses as it says', async () => {
    await writeFile(world.path('a.txt'), 'one\n');
    await mkdir(world.path('sub'));
    await open('filesystem', [world.workspace]);
    expect(mcp?.servers()).toMatchObject([{ status: { kind: 'ready' } }]);
    expect(await call('mcp__filesystem__read_text_file', { path: world.path('a.txt') })).toEqual({
      kind: 'ok',
      output: 'one\n',
    });
    expect(
      await call('mcp__filesystem__write_file', { path: world.path('sub/b.txt'), content: 'two' }),
    ).toMatchObject({ kind: 'ok' });
    expect(await call('mcp__filesystem__list_directory', { path: world.path('sub') })).toMatchObject({
      output: expect.stringContaining('b.txt'),
    });
    expect(await call('mcp__filesystem__read_text_file', { path: '/etc/hosts' })).toMatchObject({
      kind: 'failed',
      output: expect.stringContaining('denied'),
    });
    expect(await call('mcp__filesystem__read_text_file', {})).toMatchObject({ kind: 'failed' });
  });

  it('keeps to the directory in its own arguments where it is told no other', async () => {
    const [inside, outside] = [world.path('a.txt'), join(world.outside, 'b.txt')];
    await writeFile(inside, 'one\n');
    await writeFile(outside, 'two\n');
    const launch = { command: program('filesystem'), args: [world.outside] };
    await openDefinition('filesystem', { ...launch, roots: false }, async () => ({ action: 'decline' }));
    expect(await call('mcp__filesystem__read_text_file', { path: outside })).toMatchObject({
      output: 'two\n',
    });
    expect(await call('mcp__filesystem__read_text_file', { path: inside })).toMatchObject({ kind: 'failed' });
  });

  it('marks its reading tools, which may run beside each other', async () => {
    await open('filesystem', [world.workspace]);
    const access = Object.fromEntries(mcp?.tools().map((tool) => [tool.name, tool.access]) ?? []);
    expect(access).toMatchObject({
      mcp__filesystem__read_text_file: 'network',
      mcp__filesystem__write_file: 'execute',
    });
  });
});

describe('a server of everything', () => {
  it('answers with text, pictures and resources; its prompts and resources can be read', async () => {
    const opened = await open('everything', []);
    expect(await call('mcp__everything__echo', { message: 'hello' })).toEqual({
      kind: 'ok',
      output: 'Echo: hello',
    });
    expect(opened.resources().length).toBeGreaterThan(0);
    const [resource] = opened.resources();
    expect(await opened.readResource('everything', resource?.uri ?? '', never)).toMatchObject({
      kind: 'text',
    });
    const simple = opened.prompts().find((prompt) => prompt.arguments.length === 0);
    expect(await opened.expandPrompt('everything', simple?.name ?? '', {}, never)).toMatchObject({
      kind: 'text',
    });
    const image = opened.tools().find(({ name }) => /image/i.test(name));
    expect(image).toBeDefined();
    expect((await world.call(image!, {})).output).toContain('image/png');
  });

  it('asks its form of whoever answers', async () => {
    const asked: Readonly<Record<string, unknown>>[] = [];
    const opened = await open('everything', [], async (_, params) => {
      asked.push(params);
      return { action: 'decline' };
    });
    const elicitation = opened
      .tools()
      .find(({ name }) => /elicitation/i.test(name) && !/url|async|array/i.test(name));
    expect(elicitation).toBeDefined();
    expect((await world.call(elicitation!, {})).output).toMatch(/declin/i);
    expect(asked.map(({ requestedSchema }) => parseForm(requestedSchema).kind)).toEqual(['form']);
  });
});

describe('a server of everything on the network', () => {
  let listening: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  afterEach(async () => {
    listening?.kill();
    await ended;
    listening = undefined;
  });

  /** At a port that was free a moment ago, since it can only be told which one to take. */
  async function listen(port: number): Promise<void> {
    const child = spawn(program('everything'), ['streamableHttp'], {
      env: { PATH: process.env.PATH ?? '', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    listening = child;
    ended = new Promise((resolve) => child.once('close', resolve));
    await new Promise<void>((resolve, reject) => {
      let said = '';
      const look = (text: Buffer): void => {
        said += text.toString();
        if (/listening on port/i.test(said)) resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(`it did not start: ${said}`)));
    });
  }

  async function freePort(): Promise<number> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }

  it('answers, asks its form, tells its progress, and is found again after a restart', async () => {
    const port = await freePort();
    await listen(port);
    const asked: unknown[] = [];
    const opened = await openDefinition(
      'everything',
      { url: `http://127.0.0.1:${port}/mcp` },
      async (_, params) => {
        asked.push(parseForm(params.requestedSchema).kind);
        return { action: 'accept', content: { name: 'Ada', check: true } };
      },
    );
    expect(opened.servers()).toMatchObject([{ status: { kind: 'ready' } }]);
    expect(await call('mcp__everything__echo', { message: 'hello' })).toEqual({
      kind: 'ok',
      output: 'Echo: hello',
    });
    expect((await call('mcp__everything__trigger-elicitation-request', {})).output).toContain('Ada');
    expect(asked).toEqual(['form']);
    const reported: string[] = [];
    const long = opened.tools().find(({ name }) => name.endsWith('trigger-long-running-operation'));
    await world.call(long!, { duration: 0.2, steps: 2 }, { report: (text) => void reported.push(text) });
    expect(reported.length).toBeGreaterThan(0);
    const [resource] = opened.resources();
    expect(await opened.readResource('everything', resource?.uri ?? '', never)).toMatchObject({
      kind: 'text',
    });
    listening?.kill();
    await ended;
    await listen(port);
    expect(await call('mcp__everything__echo', { message: 'lost' })).toMatchObject({ kind: 'failed' });
    expect(await call('mcp__everything__echo', { message: 'again' })).toEqual({
      kind: 'ok',
      output: 'Echo: again',
    });
  });
});

describe('a server that remembers', () => {
  it('keeps what it is told over a restart', async () => {
    await open('memory', []);
    const entity = { name: 'codey', entityType: 'program', observations: ['speaks MCP'] };
    expect(await call('mcp__memory__create_entities', { entities: [entity] })).toMatchObject({ kind: 'ok' });
    await mcp?.close();
    await open('memory', []);
    expect((await call('mcp__memory__read_graph', {})).output).toContain('speaks MCP');
  });
});
