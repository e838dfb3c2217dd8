// `codey doctor`: looks at everything a session stands on, and says what to do about what is wrong.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { checkCodeCache } from './doctor/code-cache.ts';
import type { Check, Finding, Patient } from './doctor/finding.ts';
import { checkGrammar } from './doctor/grammar.ts';
import { checkHerdr } from './doctor/herdr.ts';
import { checkDisk, checkGit, checkProgram, checkShell } from './doctor/machine.ts';
import { checkModel } from './doctor/model.ts';
import { checkSearchPath } from './doctor/search-path.ts';
import { checkSettings, checkTrust } from './doctor/settings.ts';
import { checkTelemetry } from './doctor/telemetry.ts';
import { findRoot } from '../start/find-root.ts';
import { writeJson } from './write-json.ts';

/** In the order they are shown. */
const checks: readonly Check[] = [
  checkProgram,
  checkCodeCache,
  checkSettings,
  checkTrust,
  checkShell,
  checkGrammar,
  checkSearchPath,
  checkModel,
  checkHerdr,
  checkTelemetry,
  checkGit,
  checkDisk,
];

/** Exit code 1 where a problem was found; settings that do not load are one of them. */
export async function doctor(
  { flags }: Extract<NamedCommandLine, { command: 'doctor' }>,
  world: World,
): Promise<number> {
  const root = await findRoot(flags.cwd, world);
  const patient: Patient = { root, loaded: await loadProjectSettings(root, flags.settings, world), world };
  const findings = (await Promise.all(checks.map((check) => check(patient)))).flat();
  if (flags.json) writeJson({ root, findings }, world);
  else world.stdout.write(`${sanitise(render(findings))}\n`);
  return findings.some(({ state }) => state === 'problem') ? exitCodes.failed : exitCodes.done;
}

const marks = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

function render(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.map(({ about, state, what, todo }) => {
    const help = todo === undefined ? '' : `\n${' '.repeat(width + 11)}→ ${todo}`;
    return `${marks[state]}  ${about.padEnd(width)}  ${what}${help}`;
  });
  const count = (state: 'problem' | 'warning') => {
    const number = findings.filter((finding) => finding.state === state).length;
    return `${number} ${state}${number === 1 ? '' : 's'}`;
  };
  return [...lines, '', `${count('problem')}, ${count('warning')}`].join('\n');
}
