import type { HookSnapshot, LifecycleHook } from '@codey/hooks';
import { expect, it } from 'vitest';
import { sayHooksThatStay } from './locked-hooks.ts';

const lockedFile = '/etc/codey/managed-settings.json';

function hookOf(file: string): LifecycleHook {
  return {
    id: 'run_end:1a2b3c4d',
    identity: '1a2b3c4d',
    event: 'run_end',
    command: 'true',
    source: { scope: 'managed', file, line: 3, column: 5, fromRepository: false },
  };
}

function snapshotOf(
  files: readonly string[],
  switches: Partial<HookSnapshot['switches']> = { noHooks: true, lockedFile },
): HookSnapshot {
  return {
    policy: [],
    lifecycle: files.map(hookOf),
    switches: {
      disableAll: 'none',
      disabledIds: new Set(),
      managedOnly: false,
      hookFailure: {},
      withhold: [],
      noHooks: false,
      noProjectHooks: false,
      bare: false,
      ...switches,
    },
  };
}

function said(snapshot: HookSnapshot): readonly string[] {
  const lines: string[] = [];
  sayHooksThatStay(snapshot, { warn: (text) => void lines.push(text) });
  return lines;
}

it('names the file whose hooks -no-hooks leaves on [contract.off.no-hooks-root-owned]', () => {
  expect(said(snapshotOf([lockedFile, lockedFile, '/home/u/.codey/managed-settings.json']))).toEqual([
    `-no-hooks leaves the 2 hooks of ${lockedFile} on: only root can turn them off`,
  ]);
});

it.each([
  ['without -no-hooks', snapshotOf([lockedFile], { lockedFile })],
  ['where no file is out of reach', snapshotOf(['/home/u/.codey/managed-settings.json'], { noHooks: true })],
  ['where that file has no hooks', snapshotOf([])],
])('says nothing %s', (_, snapshot) => {
  expect(said(snapshot)).toEqual([]);
});
