import { loadSettings, takeSnapshot, whySwitchedOff } from '@codey/hooks';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locationsOf } from './locations.ts';
import type { World } from './world.ts';

it('no variable moves the machine-wide policy file, and its hooks are managed ones [contract.scope.system-managed-file]', async () => {
  const hostile = {
    CODEY_MANAGED_SETTINGS: '/tmp/x',
    KODER_MANAGED_SETTINGS: '/tmp/x',
    HOME: '/tmp/x',
    XDG_CONFIG_DIRS: '/tmp/x',
  };
  const world = { environment: hostile, cwd: '/project', home: '/home/dev' } as unknown as World;
  const locations = locationsOf('/project', undefined, world);
  expect(locations.systemManagedFile).toBe('/etc/codey/managed-settings.json');

  const folder = mkdtempSync(join(tmpdir(), 'managed-'));
  try {
    const systemManagedFile = join(folder, 'managed-settings.json');
    writeFileSync(
      systemManagedFile,
      '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
    );
    const loaded = await loadSettings({ projectRoot: folder, systemManagedFile });
    const snapshot = takeSnapshot(loaded, { agreed: () => false });
    const [hook] = snapshot.policy;
    expect(hook?.source).toMatchObject({ scope: 'managed', file: systemManagedFile });
    expect(
      hook && whySwitchedOff(hook, { ...snapshot.switches, disableAll: 'all-but-managed' }, 1),
    ).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
