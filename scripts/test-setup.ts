// Gives every test file a clean environment: nothing of the machine's own codey, herdr or certificates, a throw-away home.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { homesFolder, marker } from './test-guard.ts';

// NODE_EXTRA_CA_CERTS more than doubles the start of every Node process and says nothing about ours.
const foreign =
  /^(CODEY_|KODER_|HERDR_|CLAUDE|ANTHROPIC_|OPENAI_|GOOGLE_|GEMINI_|OTEL_|XDG_|GIT_|NODE_|NO_COLOR$|FORCE_COLOR$)/;
for (const name of Object.keys(process.env)) {
  if (foreign.test(name) && name !== 'NODE_ENV') delete process.env[name];
}

const home = mkdtempSync(join(tmpdir(), homesFolder, 'home-'));
writeFileSync(
  join(home, '.gitconfig'),
  '[user]\n\tname = Tests\n\temail = tests@example.com\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n',
);
process.env.HOME = home;
process.env.USERPROFILE = home;
process.env.GIT_CONFIG_NOSYSTEM = '1';
// Set here and not for the whole run, so that only what a test starts carries it from its first instruction on.
process.env[marker] = inject('testRun');
