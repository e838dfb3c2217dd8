// MCP through the whole program: the commands that manage servers, and a run that talks to one.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, callScript, play } from './play.ts';
import { group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';

const server = fileURLToPath(new URL('../../agent/test/fixtures/mcp-server.mjs', import.meta.url));

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => {
  expect(processesWith(stage.home)).toEqual([]);
  stage.remove();
});

/** Command lines of processes whose home is that of the stage. */
function processesWith(home: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environment.includes(`HOME=${home}\0`) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

const ask = {
  message: 'Delete it?',
  requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
};
const withServer = (more: object = {}) =>
  stage.write('~/.koder/settings.json', {
    mcpServers: { tickets: { command: process.execPath, args: [server] } },
    ...more,
  });

describe('codey mcp', () => {
  it('adds, lists, shows and removes a server, and touches nothing else in the file [contract.write.only-asked-keys]', async () => {
    stage.write('~/.codey/settings.json', '{\n  // mine\n  "theme": "dark"\n}\n');
    const added = await stage.codey([
      'mcp',
      'add',
      'tickets',
      '--env',
      'KEY=a=b',
      '--',
      process.execPath,
      server,
    ]);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(stage.read('~/.codey/settings.json')).toContain('  // mine\n  "theme": "dark",\n');
    const listed = await stage.codey(['mcp', 'list']);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toMatch(
      /^tickets {2}ready {2}\d+ tools, 1 resource, 1 prompt {2}settings\.json\n$/,
    );
    const shown = await stage.codey(['mcp', 'get', 'tickets']);
    expect(shown.stdout).toContain('\n  mcp__tickets__echo\n');
    expect(shown.stdout).toContain('\n  /tickets:review <file>\n  @tickets:test://notes\n');
    expect(await stage.codey(['mcp', 'remove', 'tickets'])).toMatchObject({ code: 0 });
    expect(JSON.parse(stage.read('~/.codey/settings.json').replace(/\/\/.*/, ''))).toMatchObject({
      theme: 'dark',
    });
    expect((await stage.codey(['mcp', 'list'])).stdout).toContain('No MCP servers here.');
  });

  it('says what does not work, with exit code 1', async () => {
    await stage.codey(['mcp', 'add', 'bad', '--', process.execPath, server, '--crash']);
    const listed = await stage.codey(['mcp', 'list', '--json']);
    expect(listed.code).toBe(1);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { name: 'bad', status: { kind: 'failed', why: 'it ended with exit code 1: cannot open the database' } },
    ]);
  });

  it.each([
    [['mcp', 'add', 'a', '--url', 'ftp://example.invalid'], '"url" must begin with https:// or http://'],
    [['mcp', 'add', 'a/b', '--', 'serve'], 'neither a slash nor a control character'],
    [
      ['mcp', 'add', 'a', '--url', 'https://example.invalid', '--env', 'A=b'],
      '--env is for a server that is started',
    ],
    [['mcp', 'add', 'a', '--env', 'A', '--', 'serve'], '"A" must have the form --env NAME=value'],
    [['mcp', 'get', 'gone'], 'there is no MCP server gone here; there are none'],
    [['mcp', 'remove', 'gone'], 'there is no MCP server gone to remove'],
  ])('%j is refused with a reason', async (args, reason) => {
    const run = await stage.codey(args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(reason);
  });

  it('is not for an agent: inside a session nothing is added [contract.trust.agent-cannot]', async () => {
    const environment = { CODEY_SESSION_MARKER: 'some-session' };
    const run = await stage.codey(['mcp', 'add', 'a', '--', 'serve'], { environment });
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toContain('does not work inside a codey session');
  });
});

describe('a run in print mode', () => {
  it('calls tools of servers past the hooks, and ends their processes with itself [contract.gate.every-caller]', async () => {
    withServer({ hooks: { PreToolUse: [group('cat >> "$HOME/told"', 'mcp__tickets__echo')] } });
    const { results, code } = await play(stage, callScript('mcp__tickets__echo', { text: 'hello' }));
    expect([code, results]).toEqual([0, ['hello']]);
    expect(JSON.parse(stage.read('~/told'))).toMatchObject({
      tool_name: 'mcp__tickets__echo',
      tool_input: { text: 'hello' },
    });
  });

  it('calls tools of a server over HTTP that answers in events', async () => {
    const far = await startFarServer();
    const { port } = far.address() as AddressInfo;
    stage.write('~/.koder/settings.json', { mcpServers: { far: { url: `http://127.0.0.1:${port}/` } } });
    const { results } = await play(stage, callScript('mcp__far__echo', {}));
    await new Promise((resolve) => far.close(resolve));
    expect(results).toEqual([expect.stringContaining('heard')]);
  });

  it('asks before it calls them like before anything else', async () => {
    withServer();
    const { denied } = await play(stage, callScript('mcp__tickets__echo', { text: 'hello' }), []);
    expect(denied).toEqual([expect.stringContaining('mcp__tickets__echo')]);
  });

  it('has forms answered by the example of the specification [koder.example.elicitation-in-ci] [koder.event.elicitation-on-request]', async () => {
    withServer({
      hooks: {
        Elicitation: [group(`echo '{"hookSpecificOutput":{"action":"accept","content":{"confirm":true}}}'`)],
      },
    });
    const { results } = await play(stage, callScript('mcp__tickets__ask', { request: ask }));
    expect(results.map((result) => JSON.parse(result))).toEqual([
      { action: 'accept', content: { confirm: true } },
    ]);
  });

  it('declines forms that nobody answers, and answers that do not fit [koder.event.elicitationresult-payload]', async () => {
    withServer({
      hooks: {
        Elicitation: [group(`echo '{"hookSpecificOutput":{"action":"accept","content":{"confirm":"yes"}}}'`)],
        ElicitationResult: [group('cat >> "$HOME/told"')],
      },
    });
    const { results, stderr } = await play(stage, callScript('mcp__tickets__ask', { request: ask }));
    expect(results.map((result) => JSON.parse(result))).toEqual([{ action: 'decline' }]);
    expect(stderr).toContain('confirm must be true or false');
    expect(stage.journal()).toContainEqual(
      expect.objectContaining({ kind: 'hook_error', event: 'Elicitation', cause: 'output' }),
    );
    expect(JSON.parse(stage.read('~/told'))).toMatchObject({ action: 'decline', field_names: [] });
  });

  it('starts no server of a repository that nobody has reviewed (CVE-2025-59536) [contract.repo.loosening-reviewed]', async () => {
    stage.write('.codey/settings.json', {
      mcpServers: { theirs: { command: '/bin/sh', args: ['-c', 'touch "$HOME/started"'] } },
    });
    const { code, stderr } = await play(stage, [{ text: 'done' }], bypass);
    expect(code).toBe(0);
    expect(stderr).toContain('held back until you agree');
    expect(stage.has('~/started')).toBe(false);
  });

  it('goes on without a server that does not come up', async () => {
    withServer({ mcpServers: { bad: { command: process.execPath, args: [server, '--crash'] } } });
    const { code, stderr } = await play(stage, [{ text: 'done' }]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'the MCP server bad is not available: it ended with exit code 1: cannot open the database',
    );
  });
});

it.each([
  ['/tickets:nosuch x', 'There is no prompt /tickets:nosuch; there are /tickets:review.'],
  ['/tocket:review x', 'There is no prompt /tocket:review; there are /tickets:review.'],
])('refuses %j, which no server offers, and sends it to nobody', async (prompt, why) => {
  withServer({ hooks: { UserPromptSubmit: [group('touch "$HOME/told"')] } });
  const script = stage.write('~/script.json', [{ text: 'the model' }]);
  const run = await stage.codey(['-p', prompt, '--model', `script:${script}`]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(why);
  expect(stage.has('~/told')).toBe(false);
});

it('fills in a prompt of a server before anybody is asked about it', async () => {
  withServer({ hooks: { UserPromptSubmit: [group('cat >> "$HOME/told"')] } });
  const script = stage.write('~/script.json', [{ text: 'reviewed' }]);
  const run = await stage.codey(['-p', '/tickets:review a.ts', '--model', `script:${script}`]);
  expect(run).toMatchObject({ code: 0, stdout: 'reviewed\n' });
  expect(JSON.parse(stage.read('~/told'))).toMatchObject({ prompt: 'Review a.ts.' });
});

/** Streamable HTTP at its shortest: one tool, each answer as one event. */
async function startFarServer(): Promise<Server> {
  const far = createServer((request, response) => void answerInEvents(request, response));
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
  return far;
}

async function answerInEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  let body = '';
  for await (const piece of request) body += piece;
  const { id, method, params } = JSON.parse(body);
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'far', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'heard' }] },
  };
  const result = results[method];
  if (result === undefined) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}
