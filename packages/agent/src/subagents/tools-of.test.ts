import { expect, it } from 'vitest';
import { builtInTools } from '../tools/built-in.ts';
import { readFile } from '../tools/read-file.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { runShell } from '../tools/run-shell.ts';
import { toolsOf } from './tools-of.ts';

const names = (registry: ReturnType<typeof toolsOf>) => registry.list().map(({ name }) => name);

it('never gives more than the parent has, whatever a definition lists [contract.agent.never-looser]', () => {
  const parent = createToolRegistry([readFile]);
  const own = [{ ...runShell }, { ...readFile, description: 'my own' }];
  expect(names(toolsOf(parent, own, ['read_file', 'run_shell']))).toEqual(['read_file']);
  expect(toolsOf(parent, own, undefined).get('read_file')?.description).toBe('my own');
  expect(names(toolsOf(parent, own, []))).toEqual([]);
});

it('gives all of them where nothing is listed', () => {
  const parent = createToolRegistry(builtInTools);
  expect(names(toolsOf(parent, [], undefined))).toEqual(builtInTools.map(({ name }) => name));
});
