// `codey doctor`: one finding a thing, with what to do.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCollector } from './otlp-collector.ts';
import { group } from './settings.ts';
import { createStage, type RunOptions, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

interface Finding {
  readonly about: string;
  readonly state: string;
  readonly what: string;
  readonly todo?: string;
}

async function examine(options: RunOptions = {}) {
  const done = await stage.codey(['doctor', '--json'], options);
  expect(done.stderr).toBe('');
  const findings: readonly Finding[] = JSON.parse(done.stdout).findings;
  return { code: done.code, about: (what: string) => findings.filter(({ about }) => about === what) };
}

describe('codey doctor', () => {
  it('finds nothing wrong with a healthy project', async () => {
    stage.write('story.yaml', '- text: hi\n');
    stage.write('~/.codey/settings.json', { model: `script:${stage.project}/story.yaml` });
    const { code, about } = await examine();
    expect(code).toBe(0);
    for (const what of [
      'codey',
      'starts',
      'settings',
      'trust',
      'shell',
      'commands',
      'PATH',
      'model',
      'herdr',
      'git',
      'disk',
    ])
      expect(about(what)[0]).toMatchObject({ state: 'ok' });
  });

  it('names what is wrong with settings and what waits for a yes', async () => {
    stage.write('.codey/settings.json', { hooks: { Stop: [group('./missing.sh')] } });
    const held = await examine();
    expect(held.about('settings')).toMatchObject([{ state: 'warning', todo: 'codey hooks validate' }]);
    expect(held.about('trust')).toMatchObject([{ state: 'warning', todo: 'codey hooks trust' }]);
    stage.write('.codey/settings.json', '{ broken');
    const broken = await examine();
    expect(broken.code).toBe(1);
    expect(broken.about('settings')).toMatchObject([
      { state: 'problem', what: expect.stringContaining('1 problem') },
    ]);
  });

  it('asks a collector that settings name whether it takes reports', async () => {
    expect((await examine()).about('telemetry')).toEqual([]);
    const collector = await startCollector();
    try {
      stage.write('~/.codey/settings.json', { telemetry: { otlpEndpoint: `${collector.url}/?key=k1` } });
      const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20k' };
      expect((await examine({ environment })).about('telemetry')).toEqual([
        { about: 'telemetry', state: 'ok', what: `sessions are reported to ${collector.url}` },
      ]);
      expect(collector.requests).toMatchObject([{ headers: { authorization: 'Bearer k' } }]);
      expect(collector.spans()).toEqual([]);
    } finally {
      await collector.close();
    }
    const gone = await examine();
    expect(gone.code).toBe(1);
    expect(gone.about('telemetry')).toMatchObject([
      { state: 'problem', what: `${collector.url} takes no reports: ECONNREFUSED` },
    ]);
    expect((await examine({ environment: { OTEL_SDK_DISABLED: 'true' } })).about('telemetry')).toMatchObject([
      { state: 'ok', what: expect.stringContaining('nothing is sent') },
    ]);
  });

  it('asks the model’s address without the key, and only where there is one', async () => {
    const asked: { method: string | undefined; headers: object }[] = [];
    const server = createServer((request, response) => {
      asked.push({ method: request.method, headers: request.headers });
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { ANTHROPIC_API_KEY: 'secret-key', ANTHROPIC_BASE_URL: address };
    expect((await examine({ environment })).about('model')).toMatchObject([
      { state: 'ok', what: expect.stringContaining('answers') },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.method).toBe('HEAD');
    expect(JSON.stringify(asked)).not.toContain('secret-key');
    await new Promise((resolve) => server.close(resolve));
    expect((await examine({ environment })).about('model')).toMatchObject([
      { state: 'problem', what: expect.stringContaining('cannot be reached') },
    ]);
    stage.write('~/.codey/settings.json', { model: 'anthropic/claude-sonnet-4-5' });
    const without = await examine({ environment: { ANTHROPIC_BASE_URL: address } });
    expect(without.about('model')).toMatchObject([
      { state: 'problem', what: expect.stringContaining('needs a key') },
    ]);
    expect((await examine()).code).toBe(1);
  });

  it('looks at herdr’s variables and at PATH', async () => {
    const odd = await examine({
      environment: { HERDR_ENV: '1', PATH: `:${process.env.PATH}` },
    });
    expect(odd.about('herdr')).toMatchObject([
      { state: 'warning', what: expect.stringContaining('only HERDR_ENV of') },
    ]);
    expect(odd.about('PATH')).toMatchObject([
      { state: 'ok' },
      { state: 'warning', what: expect.stringContaining('an empty entry') },
    ]);
    const pane = { HERDR_ENV: '1', HERDR_PANE_ID: 'w1:p1', HERDR_BIN_PATH: '/no/such/herdr' };
    expect((await examine({ environment: pane })).about('herdr')).toMatchObject([{ state: 'problem' }]);
  });

  it('speaks to people too', async () => {
    const { stdout } = await stage.codey(['doctor']);
    expect(stdout).toMatch(/^PROBLEM {2}model +none is chosen and no key is set\n +→ codey setup$/m);
    expect(stdout).toMatch(/^1 problem, \d+ warnings?$/m);
  });
});
