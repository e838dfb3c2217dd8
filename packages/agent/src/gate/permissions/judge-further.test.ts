import { type CallSubject, describeCall, parseRule, type PlacedRule, unknownPart } from '@codey/hooks';
import { expect, it } from 'vitest';
import type { Further } from '../../tools/tool.ts';
import { judgeFurther } from './judge-further.ts';
import { findGuard } from './rules.ts';

const workspace = '/work/project';

function placed(text: string): PlacedRule {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.message);
  const source = {
    scope: 'user',
    file: 'settings.json',
    line: 1,
    column: 1,
    fromRepository: false,
  } as const;
  return { rule: parsed.rule, source };
}

function view(tool: string, subject: CallSubject) {
  return describeCall(tool, subject, { workspace, cwd: workspace, realpath: async (path) => path });
}

async function judge(
  rules: { readonly deny?: string; readonly ask?: string },
  [tool, subject]: readonly [string, CallSubject],
  further: Further,
): Promise<string | undefined> {
  const list = (text?: string) => (text === undefined ? [] : [placed(text)]);
  return judgeFurther(
    await view(tool, subject),
    { deny: list(rules.deny), ask: list(rules.ask), allow: [] },
    workspace,
  )(further);
}

const page = ['web_fetch', { kind: 'url', url: 'http://a.com/x' }] as const;
const search = ['grep_search', { kind: 'path', path: '.' }] as const;
const file = (path: string): Further => ({ kind: 'path', names: [`${workspace}/${path}`] });

it('a redirect is judged like an address', async () => {
  const secret: Further = { kind: 'url', url: 'http://a.com/secret/1' };
  expect(await judge({ deny: 'web_fetch(http://a.com/secret*)' }, page, secret)).toBe(
    'denied by rule "web_fetch(http://a.com/secret*)" (settings.json:1)',
  );
  expect(await judge({ ask: 'web_fetch(http://a.com/secret*)' }, page, secret)).toMatch(/ asks, so /);
  expect(await judge({ deny: 'web_fetch(http://a.com/other*)' }, page, secret)).toBeUndefined();
  expect(await judge({ deny: 'read_file(*)' }, page, secret)).toBeUndefined();
});

it('a file that a search finds is judged like the path of a call', async () => {
  const deny = 'grep_search(secrets*)';
  expect(await judge({ deny }, search, file('secrets/x'))).toMatch(/^denied by rule/);
  expect(await judge({ deny }, search, file('src/x'))).toBeUndefined();
});

it('a rule that spoke about the call itself was answered there', async () => {
  expect(await judge({ ask: 'grep_search' }, search, file('src/x'))).toBeUndefined();
  expect(await judge({ ask: 'grep_search(*)' }, search, file('src/x'))).toBeUndefined();
});

it.each([
  [`secrets/${unknownPart}`, true],
  [`sec${unknownPart}/x`, true],
  [`src/${unknownPart}`, false],
])('a search below %j is guarded: %s [contract.if.unknown-runs]', async (below, guarded) => {
  const call = await view('grep_search', { kind: 'path', path: '.', below });
  expect(findGuard([placed('grep_search(secrets*)')], call) !== undefined).toBe(guarded);
});
