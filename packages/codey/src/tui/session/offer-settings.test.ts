import type { SettingsChange } from '@codey/agent';
import type { LoadedSettings, Review } from '@codey/hooks';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EditedSettings } from '../../start/edited-settings.ts';
import type { DecisionRequest } from '../prompts/decision-state.ts';
import type { TabEvent } from '../state/tab.ts';
import { offerRequest, offerSettings } from './offer-settings.ts';

const loaded: LoadedSettings = { projectRoot: '/work', files: [] };
const guard: SettingsChange = {
  file: '/work/.codey/settings.json',
  kind: 'added',
  what: 'PreToolUse hook: command ./guard.sh',
  counts: 'at once',
};
const model: SettingsChange = {
  file: '/home/.codey/settings.json',
  kind: 'changed',
  what: 'model',
  before: '"a/b"',
  after: '"c/d"',
  counts: 'from the next session',
};
const review: Review = { root: '/work', hooks: [], settings: [] };

/** What became of everything, in order. */
let log: string[];
let asked: DecisionRequest[];
beforeEach(() => {
  log = [];
  asked = [];
});

async function offer(
  found: Awaited<ReturnType<EditedSettings['look']>>,
  answers: readonly string[],
  open?: Review,
): Promise<void> {
  const left = [...answers];
  await offerSettings(
    {
      async ask(about, put) {
        log.push(`blocked: ${about}`);
        const given = await put(new AbortController().signal);
        log.push('unblocked');
        return given;
      },
    },
    {
      look: async () => found,
      decline: () => void log.push('declined'),
      inspect: async () => open,
      async agree() {
        log.push('agreed');
        return { ok: true };
      },
      async putInForce() {
        log.push('in force');
      },
    },
    {
      async decide(request) {
        asked.push(request);
        return left.shift() ?? '';
      },
      tell: (event: TabEvent) => void log.push(event.kind === 'said' ? `${event.tone}: ${event.text}` : ''),
    },
  );
}

describe('settings that were edited', () => {
  it('are nobody’s concern while nothing changed', async () => {
    await offer(undefined, []);
    expect(log).toEqual([]);
  });

  it('count after a yes, and the world knows that somebody is waited for [contract.reload.needs-yes]', async () => {
    await offer({ kind: 'changed', loaded, changes: [guard] }, ['accept']);
    expect(log).toEqual([
      'blocked: Changed settings',
      'in force',
      `plain: ${guard.file}: in force.`,
      'unblocked',
    ]);
  });

  it('do not count after a no, nor after anything else that is no yes [contract.reload.needs-yes]', async () => {
    for (const answer of ['keep', '']) {
      log = [];
      await offer({ kind: 'changed', loaded, changes: [guard] }, [answer]);
      expect(log).toContain('declined');
      expect(log).not.toContain('in force');
    }
  });

  it('of a repository need a yes of their own to what it wants to run', async () => {
    await offer({ kind: 'changed', loaded, changes: [guard] }, ['accept', 'without'], review);
    expect(log).not.toContain('agreed');
    expect(log).toContain('in force');
    expect(asked.map(({ title }) => title)).toEqual([
      'Settings were edited while this session runs',
      'This repository wants to run hooks and change settings',
    ]);
    await offer({ kind: 'changed', loaded, changes: [guard] }, ['accept', 'agree'], review);
    expect(log).toContain('agreed');
  });

  it('that only a new session can use are told and not asked about', async () => {
    await offer({ kind: 'changed', loaded, changes: [model] }, []);
    expect(log).toEqual([
      'declined',
      `plain: ${model.file}: edited. All of it counts from the next session.`,
    ]);
  });

  it('and cannot be used are told with every problem [contract.reload.keeps-last-good]', async () => {
    await offer({ kind: 'broken', text: 'line one\nline two' }, []);
    expect(log).toEqual(['warning: line one\nline two']);
  });

  it('are shown file by file, apart from what counts later, and the first answer changes nothing', () => {
    const { text, choices } = offerRequest([guard, model]);
    expect(text.split('\n')).toEqual([
      guard.file,
      '  + PreToolUse hook: command ./guard.sh',
      '',
      'From the next session on, whatever you choose:',
      model.file,
      '  ~ model: "a/b" → "c/d"',
    ]);
    expect(choices[0]?.id).toBe('keep');
  });
});
