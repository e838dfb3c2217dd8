import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../fixture.ts';
import { apiPage } from './api-page.ts';
import { publicSurface } from './public-surface.ts';

const surfaceOf = (files: Readonly<Record<string, string>>) =>
  publicSurface(join(repository(files), 'index.ts')).map(({ name, kind, signature, doc }) => ({
    name,
    kind,
    signature,
    doc,
  }));

const declaredIn = (text: string) =>
  surfaceOf({ 'index.ts': `export { x } from './x.ts';`, 'x.ts': text })[0];

it.each([
  [
    'a function',
    'export async function x(a: A): Promise<B> {\n  return b;\n}',
    'function',
    'function x(a: A): Promise<B>',
  ],
  ['a class', 'export class x extends Error {\n  y = 1;\n}', 'class', 'class x extends Error'],
  ['an interface', 'export interface x {\n  y: 1;\n}', 'interface', 'interface x {\n  y: 1;\n}'],
  ['a type', 'export type x = 1 | 2;', 'type', 'type x = 1 | 2;'],
  ['a constant with a type', 'export const x: X = make();', 'constant', 'const x: X'],
  ['a constant without', 'export const x = make();', 'constant', 'const x'],
])('reads %s without its inside', (_, text, kind, signature) => {
  expect(declaredIn(`/** Says why. */\n${text}`)).toEqual({ name: 'x', kind, signature, doc: 'Says why.' });
});

it('joins the lines of a comment and keeps its lists', () => {
  expect(declaredIn('/**\n * One\n * sentence:\n * - a\n * - b\n */\nexport const x = 1;')?.doc).toBe(
    'One sentence:\n- a\n- b',
  );
});

it('follows what is passed on under another name', () => {
  const surface = surfaceOf({
    'index.ts': `export { type y as x } from './a.ts';`,
    'a.ts': `export { z as y } from './b.ts';`,
    'b.ts': '/** Here. */\nexport const z = 1;',
  });
  expect(surface).toMatchObject([{ name: 'x', doc: 'Here.' }]);
});

it('names an export that is declared nowhere', () => {
  expect(() => declaredIn('export const y = 1;')).toThrow('x.ts does not export x');
});

describe('the page', () => {
  const manifest = JSON.stringify({
    exports: { '.': { 'codey-source': './index.ts' }, './package.json': './package.json' },
  });
  const tree = (text: string) =>
    repository({
      'packages/hooks/package.json': manifest,
      'packages/hooks/index.ts': `export { x } from './x.ts';`,
      'packages/hooks/x.ts': text,
    });

  it('is refused while an export has no comment, and says which', () => {
    expect(() => apiPage(tree('\nexport const x = 1;'))).toThrow('packages/hooks/x.ts:2  x');
  });

  it('shows comment, signature and source', () => {
    const page = apiPage(tree('/** Why. */\nexport function x(): void {}'));
    expect(page).toContain(
      '## @codey/hooks\n\n### Functions and classes\n\n#### x\n\nWhy.\n\n```\nfunction x(): void\n```\n\n[packages/hooks/x.ts](../packages/hooks/x.ts)',
    );
  });
});
