// `codey setup` from its first question to the files it writes.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { otherSettings } from '../../src/setup/ask-others.ts';
import { createStage, type Stage } from '../stage.ts';
import { keys, startWizard, type Wizard } from './wizard.ts';

const skill = '---\nname: herdr\ndescription: "Drives panes of herdr."\n---\n\n# herdr\n';

let stage: Stage;
let wizards: Wizard[];
let server: Server | undefined;
beforeEach(() => {
  stage = createStage();
  wizards = [];
});
afterEach(async () => {
  for (const wizard of wizards) wizard.kill();
  await Promise.all(wizards.map(({ ended }) => ended));
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
  stage.remove();
});

function start(
  environment: Readonly<Record<string, string>> = {},
  args?: readonly string[],
  columns?: number,
): Wizard {
  const wizard = startWizard({
    home: stage.home,
    cwd: stage.project,
    environment: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, ...environment },
    ...(args !== undefined && { args }),
    ...(columns !== undefined && { columns }),
  });
  wizards.push(wizard);
  return wizard;
}

/** Enter on every question that is not named; what is named is pressed before it. */
async function answer(
  wizard: Wizard,
  named: Readonly<Record<string, readonly string[]>> = {},
  last = 'Walk through',
): Promise<void> {
  for (const question of questions) {
    if (question === skillQuestion && !(question in named)) continue;
    await wizard.reads(question);
    wizard.press(...(named[question] ?? []), keys.enter);
    if (question.startsWith(last)) return;
  }
}

/** The usual provider and model, a key that is typed, and Enter on the rest. */
async function typeKey(wizard: Wizard, key: string): Promise<void> {
  await wizard.reads('Whose model');
  wizard.press(keys.enter);
  await wizard.reads('Which model?');
  wizard.press(keys.enter);
  await wizard.reads('Where is the key');
  wizard.press(keys.up.repeat(2), keys.enter);
  await wizard.reads('The key:');
  wizard.press(key);
  await wizard.reads('•'.repeat(key.length));
  wizard.press(keys.enter);
  await wizard.reads('What may tools do?');
  wizard.press(keys.enter.repeat(3));
}

const skillQuestion = "Install herdr's skill, so the agent can drive herdr?";
const questions = [
  'Whose model should codey talk to?',
  'Which model?',
  'Where is the key',
  'What may tools do?',
  'What should it look like?',
  skillQuestion,
  'Walk through all other settings?',
];
const withKey = { ANTHROPIC_API_KEY: 'sk-in-the-environment' };

/** A herdr that writes down that it was started. */
function herdrOnPath(): { readonly PATH: string } {
  stage.write('~/bin/herdr', '#!/bin/sh\ntouch "$HOME/herdr-was-started"\n');
  chmodSync(path.join(stage.home, 'bin/herdr'), 0o755);
  return { PATH: `${path.join(stage.home, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin` };
}

async function publish(status: number, body: string): Promise<{ readonly CODEY_HERDR_SKILL_URL: string }> {
  return { CODEY_HERDR_SKILL_URL: `${await serve(() => [status, body])}/SKILL.md` };
}

/** Its address. */
async function serve(
  answerTo: (request: IncomingMessage) => readonly [status: number, body: string],
): Promise<string> {
  const listening = createServer((request, response) => {
    const [status, body] = answerTo(request);
    response.writeHead(status).end(body);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const settings = (): unknown => JSON.parse(stage.read('~/.codey/settings.json'));
const recorded = {
  model: 'anthropic/claude-sonnet-4-5',
  permissions: { mode: 'default' },
  theme: 'terminal',
};

describe('Enter through everything', () => {
  it('records a setup that works and does nothing else [codey.wizard.only-acting-question] [codey.wizard.never-writes-hooks]', async () => {
    const wizard = start(withKey);
    await answer(wizard);
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual(recorded);
    expect(readdirSync(stage.home)).toEqual(['.codey']);
    expect(readdirSync(path.join(stage.home, '.codey'))).toEqual(['settings.json']);
    expect(statSync(path.join(stage.home, '.codey/settings.json')).mode & 0o777).toBe(0o600);
    expect(wizard.output()).toContain(`codey: saved in ${stage.home}/.codey/settings.json`);
    expect(wizard.output()).not.toContain('herdr');
    expect(stage.has('.codey')).toBe(false);
  });

  it('keeps what an earlier setup recorded, when it is run again', async () => {
    const earlier = { ...recorded, model: 'openai/gpt-5', permissions: { mode: 'plan' }, theme: 'plain' };
    stage.write('~/.codey/settings.json', earlier);
    const wizard = start({ OPENAI_API_KEY: 'sk-x' });
    await answer(wizard);
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual(earlier);
  });

  it('says what is missing where there is no key, and where it is to be put', async () => {
    const wizard = start();
    await answer(wizard);
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual(recorded);
    expect(readdirSync(path.join(stage.home, '.codey'))).toEqual(['settings.json']);
    expect(wizard.output().replace(/\s+/g, ' ')).toContain(
      'codey: no prompt can be answered yet: anthropic/claude-sonnet-4-5 needs a key and ANTHROPIC_API_KEY is not set; set it, or run codey setup',
    );
  });

  it('takes a server of the environment with the first model it has', async () => {
    const models = JSON.stringify({ data: [{ id: 'qwen-32b' }, { id: 'two words' }, { id: 'other' }] });
    const address = await serve((request) => [request.url === '/v1/models' ? 200 : 404, models]);
    const wizard = start({ OPENAI_COMPATIBLE_BASE_URL: address });
    await wizard.reads('OPENAI_COMPATIBLE_BASE_URL is set');
    wizard.press(keys.enter);
    await wizard.reads('The address of its API:');
    wizard.press(keys.enter);
    await wizard.reads('Which model?');
    wizard.press(keys.enter);
    await wizard.reads('Where is the key');
    wizard.press(keys.enter.repeat(4));
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual({
      ...recorded,
      model: 'openai-compatible/qwen-32b',
      providers: { 'openai-compatible': { baseURL: address } },
    });
    expect(wizard.output()).not.toContain('no prompt can be answered');
  });

  it('may be pressed ahead of the questions', async () => {
    const wizard = start(withKey);
    await wizard.reads(questions[0] ?? '');
    wizard.press(keys.enter.repeat(6));
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual(recorded);
  });
});

describe('an answer', () => {
  it('is what stands in the settings, beside what stood there already [codey.wizard.never-writes-hooks]', async () => {
    const before =
      '{\n  // mine\n  "hooks": {"run_end": ["true"]},\n  "permissions": {"deny": ["run_shell(rm *)"]}, // rules\n  "unknown": 1\n}\n';
    stage.write('~/.codey/settings.json', before);
    const wizard = start(withKey);
    await answer(wizard, { 'What may tools do?': [keys.down], 'What should it look like?': [keys.down] });
    expect(await wizard.ended).toBe(0);
    const after = stage.read('~/.codey/settings.json');
    expect(after).toContain('// mine\n  "hooks": {"run_end": ["true"]},');
    expect(after).toContain('// rules');
    expect(after).toMatch(/"deny": \["run_shell\(rm \*\)"\],\s*"mode": "acceptEdits"/);
    expect(after).toContain('"theme": "plain"');
  });

  it('that is a key is never shown, and kept where only its owner reads it', async () => {
    const secret = 'sk-very-secret-0123456789';
    const wizard = start();
    await typeKey(wizard, secret);
    expect(await wizard.ended).toBe(0);
    const file = path.join(stage.home, '.codey/keys.json');
    expect(JSON.parse(stage.read('~/.codey/keys.json'))).toEqual({ ANTHROPIC_API_KEY: secret });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(settings()).toEqual(recorded);
    expect(wizard.raw()).not.toContain(secret);
    expect(wizard.output()).not.toContain('sk-very');
  });

  it('that is not one is explained and asked again', async () => {
    const address = await serve(() => [404, 'no list here']);
    const wizard = start();
    await wizard.reads('Whose model');
    wizard.press(keys.down.repeat(3), keys.enter);
    await wizard.reads('The address of its API:');
    wizard.press(keys.clear, 'localhost', keys.enter);
    await wizard.reads('An address begins with http:// or https://.');
    wizard.press(keys.clear, address, keys.enter);
    await wizard.reads('The name of the model');
    wizard.press(keys.enter);
    await wizard.reads('Without a name no model can be asked.');
    wizard.press('qwen', keys.enter);
    await wizard.reads('Where is the key');
    wizard.press(keys.enter.repeat(4));
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual({
      ...recorded,
      model: 'openai-compatible/qwen',
      providers: { 'openai-compatible': { baseURL: address } },
    });
  });

  it('is not saved when the wizard is left', async () => {
    const wizard = start(withKey);
    await answer(wizard, {}, 'What may tools do?');
    await wizard.reads('What should it look like?');
    wizard.press(keys.interrupt);
    expect(await wizard.ended).toBe(130);
    expect(wizard.output()).toContain('nothing was saved');
    expect(readdirSync(stage.home)).toEqual([]);
  });
});

describe('the keys', () => {
  it('stand under each question; Esc and Left go back one question, and another answer may be given', async () => {
    const wizard = start();
    await wizard.reads('Esc or Ctrl-C leaves');
    wizard.press(keys.down, keys.enter);
    await wizard.reads('gpt-5');
    await wizard.reads('Esc goes back · Ctrl-C leaves');
    wizard.press(keys.escape);
    await wizard.reads('Whose model');
    wizard.press(keys.enter);
    await wizard.reads('claude-sonnet-4-5');
    wizard.press(keys.enter);
    await wizard.reads('Where is the key');
    wizard.press(keys.enter);
    await wizard.reads('What may tools do?');
    wizard.press(keys.enter);
    await wizard.reads('What should it look like?');
    wizard.press(keys.left);
    await wizard.reads('What may tools do?');
    wizard.press(keys.down, keys.enter.repeat(3));
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual({ ...recorded, permissions: { mode: 'acceptEdits' } });
  });

  it('leave with Esc at the first question, and the question goes with it', async () => {
    const wizard = start();
    await wizard.reads('Whose model');
    wizard.press(keys.escape);
    expect(await wizard.ended).toBe(130);
    expect(wizard.output()).toContain('nothing was saved');
    expect(readdirSync(stage.home)).toEqual([]);
  });
});

describe('on a terminal of 80 columns', () => {
  it('what an answer means is wrapped and not cut', async () => {
    const wizard = start({}, ['setup'], 80);
    await answer(wizard, {}, 'Which model?');
    await wizard.reads('Where is the key');
    wizard.press(keys.enter);
    await wizard.reads('What may tools do?');
    await wizard.reads('Ctrl-C leaves');
    wizard.press(keys.interrupt);
    await wizard.ended;
    const words = wizard.output().replace(/\s+/g, ' ');
    expect(words).toContain('~/.codey/keys.json, for your eyes only');
    expect(words).toContain('in ANTHROPIC_API_KEY, before any prompt');
    expect(words).toContain('reads freely, asks before anything else');
    expect(words).not.toContain('…');
  });
});

describe('the question about herdr', () => {
  it('is drawn with its place, and Enter installs; herdr itself is not started [codey.skill.offered-with-herdr] [codey.skill.row-names-path] [codey.skill.yes-preselected] [codey.skill.writes-file] [codey.skill.notice-names-file]', async () => {
    const wizard = start({ ...withKey, ...herdrOnPath(), ...(await publish(200, skill)) });
    await answer(wizard, {}, 'What should');
    await wizard.reads(skillQuestion);
    await wizard.reads('◇ no');
    expect(wizard.output().replaceAll('\r', '')).toContain(
      [
        " Install herdr's skill, so the agent can drive herdr?",
        '',
        ' ▌ ◆ yes, install it                            ~/.agents/skills/herdr',
        '   ◇ no',
      ].join('\n'),
    );
    wizard.press(keys.enter);
    await wizard.reads('Walk through');
    expect(stage.has('~/.agents')).toBe(false);
    wizard.press(keys.enter);
    expect(await wizard.ended).toBe(0);
    expect(stage.read('~/.agents/skills/herdr/SKILL.md')).toBe(skill);
    expect(wizard.output()).toContain(
      `codey: herdr's skill was written to ${stage.home}/.agents/skills/herdr/SKILL.md`,
    );
    expect(stage.has('~/herdr-was-started')).toBe(false);
  });

  it('does nothing when it is answered with no [codey.skill.no-does-nothing]', async () => {
    const wizard = start({ ...withKey, ...herdrOnPath(), ...(await publish(200, skill)) });
    await answer(wizard, { [skillQuestion]: [keys.down] });
    expect(await wizard.ended).toBe(0);
    expect(stage.has('~/.agents')).toBe(false);
    expect(settings()).toEqual(recorded);
  });

  it('is asked where only HERDR_BIN_PATH leads to it [codey.skill.offered-with-herdr]', async () => {
    const { PATH: _path } = herdrOnPath();
    const wizard = start({ ...withKey, HERDR_BIN_PATH: path.join(stage.home, 'bin/herdr') });
    await answer(wizard, { [skillQuestion]: [keys.down] });
    expect(await wizard.ended).toBe(0);
  });

  it('keeps every answer when the download fails, says why, and is asked again [codey.skill.offline-keeps-answers] [codey.skill.offline-says-why] [codey.skill.offline-writes-nothing] [codey.skill.setup-offers-again]', async () => {
    const environment = { ...withKey, ...herdrOnPath(), ...(await publish(503, 'down')) };
    const wizard = start(environment);
    await answer(wizard, { [skillQuestion]: [] });
    expect(await wizard.ended).toBe(1);
    expect(settings()).toEqual(recorded);
    expect(stage.has('~/.agents')).toBe(false);
    expect(wizard.output().replace(/\s+/g, ' ')).toContain(
      'answered with status 503. Nothing was written; setup offers it again.',
    );
    const again = start(environment);
    await answer(again, { [skillQuestion]: [keys.down] });
    expect(await again.ended).toBe(0);
  });
});

describe('the other settings', () => {
  it('are walked through on request, each checked as the loader would; Enter keeps it as it is [codey.wizard.only-hooks-left-out]', async () => {
    const wizard = start(withKey);
    await answer(wizard, { 'Walk through all other settings?': [keys.up] });
    const asked = otherSettings().map(({ path: keys }) => keys.join('.'));
    for (const name of asked.filter((one) => !['model', 'permissions.mode', 'theme'].includes(one))) {
      await wizard.reads(` ${name}\r`);
      if (name === 'permissions.deny') {
        wizard.press('["run_shell(git push*"]', keys.enter);
        await wizard.reads('entry 1 of "deny"');
        wizard.press(keys.clear, '["run_shell(git push*)"]');
      }
      if (name === 'herdr.report') wizard.press(keys.down.repeat(2));
      if (name === 'allowManagedHooksOnly') wizard.press(keys.down);
      wizard.press(keys.enter);
    }
    expect(await wizard.ended).toBe(0);
    expect(settings()).toEqual({
      ...recorded,
      permissions: { mode: 'default', deny: ['run_shell(git push*)'] },
      herdr: { report: false },
    });
    expect(JSON.parse(stage.read('~/.codey/managed-settings.json'))).toEqual({ allowManagedHooksOnly: true });
  });
});

describe('hooks', () => {
  it('of Setup are told what is missing, those of ConfigChange about the file [koder.event.setup-payload] [koder.event.configchange-on-save] [koder.event.configchange-payload]', async () => {
    const command = `cat >> "$HOME/told.jsonl"`;
    const group = [{ hooks: [{ type: 'command', command }] }];
    stage.write('~/.codey/settings.json', { hooks: { Setup: group, ConfigChange: group } });
    const wizard = start(withKey);
    await answer(wizard);
    expect(await wizard.ended).toBe(0);
    const told = stage
      .read('~/told.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told).toMatchObject([
      { event: 'Setup', missing_steps: ['model'] },
      {
        event: 'ConfigChange',
        source: 'user_settings',
        file_path: path.join(stage.home, '.codey/settings.json'),
      },
    ]);
  });

  it('of ConfigChange that say no have the file as it was, to the byte and mode [koder.event.configchange-block]', async () => {
    const before = `{ "hooks": {"ConfigChange": [{"hooks": [{"type": "command", "command": "echo 'settings are frozen' >&2; exit 2"}]}]} }  // mine\n`;
    const file = stage.write('~/.codey/settings.json', before);
    chmodSync(file, 0o640);
    const wizard = start(withKey);
    await answer(wizard);
    expect(await wizard.ended).toBe(1);
    expect(wizard.output()).toContain('settings are frozen');
    expect(stage.read('~/.codey/settings.json')).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('of ConfigChange that want to end a run where there is none change nothing, and that is said', async () => {
    const hook = { type: 'command', command: `echo '{"continue": false, "stopReason": "enough"}'` };
    stage.write('~/.codey/settings.json', { hooks: { ConfigChange: [{ hooks: [hook] }] } });
    const wizard = start(withKey);
    await answer(wizard);
    expect(await wizard.ended).toBe(0);
    expect(settings()).toMatchObject(recorded);
    expect(wizard.output()).toContain('"continue": false says nothing here: there is no run to end');
  });

  it('of ConfigChange that say no leave no key behind either [koder.event.configchange-block]', async () => {
    const before = `{ "hooks": {"ConfigChange": [{"hooks": [{"type": "command", "command": "exit 2"}]}]} }`;
    stage.write('~/.codey/settings.json', before);
    const kept = '{ "ELSEWHERE_API_KEY": "sk-old" }';
    stage.write('~/.codey/keys.json', kept);
    const wizard = start();
    await typeKey(wizard, 'sk-new-0123456789');
    expect(await wizard.ended).toBe(1);
    expect(stage.read('~/.codey/settings.json')).toBe(before);
    expect(stage.read('~/.codey/keys.json')).toBe(kept);
    expect(readdirSync(path.join(stage.home, '.codey')).filter((file) => file.endsWith('.json'))).toEqual([
      'keys.json',
      'settings.json',
    ]);
    expect(wizard.output()).toContain('the key was not kept either');
    expect(wizard.output()).not.toContain('the key is kept in');
  });
});

describe('setup', () => {
  it('works whatever a settings file holds, and says what could not be saved [contract.load.way-out]', async () => {
    const broken = '{ "model": ';
    stage.write('~/.codey/settings.json', broken);
    stage.write('.codey/settings.json', '{"hooks": {"Nonsense": 7}}');
    const wizard = start(withKey);
    await answer(wizard);
    expect(await wizard.ended).toBe(1);
    expect(stage.read('~/.codey/settings.json')).toBe(broken);
    expect(wizard.output().replace(/\s+/g, ' ')).toMatch(
      /model was not saved: .*settings\.json: line 1, column \d+/,
    );
  });

  it('refuses inside a session [contract.trust.agent-cannot]', async () => {
    const wizard = start({ CODEY_SESSION_MARKER: 's1' });
    expect(await wizard.ended).toBe(2);
    expect(wizard.output()).toContain('codey setup does not work inside a codey session');
  });

  it('needs a terminal', async () => {
    const run = await stage.codey(['setup']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('it needs a terminal');
  });

  it('writes into the directory that is there', async () => {
    mkdirSync(path.join(stage.home, '.koder'));
    const wizard = start(withKey);
    await answer(wizard);
    expect(await wizard.ended).toBe(0);
    expect(JSON.parse(stage.read('~/.koder/settings.json'))).toEqual(recorded);
  });
});
