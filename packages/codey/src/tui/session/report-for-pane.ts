// Reporting to herdr for a whole stay in front of a user, begun before anything is drawn.
import { resolveSettings } from '@codey/hooks';
import type { RunCommandLine } from '../../cli/command-line.ts';
import { findRoot } from '../../start/find-root.ts';
import { type HerdrReporting, reportToHerdr } from '../../start/herdr.ts';
import { loadProjectSettings } from '../../start/project.ts';
import type { World } from '../../start/world.ts';

/**
 * Undefined where nothing is reported. Settings that cannot be used say so when the session opens; only what they hold
 * about herdr counts here, and nothing that a repository would need an agreement for.
 */
export async function reportForPane(
  { flags }: RunCommandLine,
  world: World,
): Promise<HerdrReporting | undefined> {
  const { environment, home, pid, notices } = world;
  const root = await findRoot(flags.cwd, world).catch(() => undefined);
  // A directory that is not there keeps the session from opening, which is then said.
  if (root === undefined) return undefined;
  const loaded = await loadProjectSettings(root, flags.settings, world);
  const { herdr } = resolveSettings(loaded, { agreed: () => false });
  return reportToHerdr({
    environment,
    home,
    pid,
    notices,
    noHooks: flags.noHooks,
    report: herdr.report,
  });
}
