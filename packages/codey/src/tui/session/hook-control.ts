// The hooks of one live session as the panel sees and changes them.
import type { LiveSession } from '@codey/agent';
import { type HookSnapshot, isOpen } from '@codey/hooks';
import { listHooks } from '../../commands/hooks-list.ts';
import { loadProjectSettings, type Project, settle } from '../../start/project.ts';
import type { World } from '../../start/world.ts';
import type { HookControl, ListedHook, TabPorts } from '../ports.ts';
import { insideSession, reviewRequest } from './ask-about-project.ts';
import { tryHook } from './try-hook.ts';

export interface HookControlParts {
  readonly live: Pick<LiveSession, 'hooks' | 'useHooks' | 'surroundings'>;
  readonly project: Project;
  readonly world: World;
  readonly decide: TabPorts['decide'];
}

export function hookControl({ live, project, world, decide }: HookControlParts): HookControl {
  return {
    async list() {
      const listed = await listHooks({ snapshot: live.hooks, trust: project.trust });
      return listed.map((hook) => ({ ...hook, switchable: isSwitchable(hook, live.hooks.switches) }));
    },
    async switchTo(id, on) {
      const ids = new Set(live.hooks.switches.disabledIds);
      if (on) ids.delete(id);
      else ids.add(id);
      const value = ids.size === 0 ? undefined : [...ids];
      const saved = await live.surroundings.saveSetting({ scope: 'user', path: ['disabledHooks'], value });
      switch (saved.kind) {
        case 'saved':
        case 'unchanged':
          live.useHooks({
            ...live.hooks,
            switches: { ...live.hooks.switches, disabledIds: await readIds() },
          });
          return undefined;
        case 'blocked':
          return `a ConfigChange hook said no: ${saved.reason}`;
        case 'refused':
        case 'conflict':
          return saved.message;
      }
    },
    async tryOut(id) {
      const hook = [...live.hooks.policy, ...live.hooks.lifecycle].find((each) => each.id === id);
      return hook === undefined ? ['This hook is not there any more.'] : tryHook(hook, project, world);
    },
    async review() {
      const refused = insideSession();
      if (refused !== undefined) return refused;
      const review = project.trust.review();
      if (!isOpen(review)) return 'Nothing of this repository waits for your agreement.';
      const chosen = await decide(reviewRequest(review), new AbortController().signal);
      if (chosen !== 'agree') return 'Nothing was agreed to.';
      const agreed = await project.trust.agree(review);
      return agreed.ok
        ? 'Agreed. The hooks run from now on, the settings count from the next session.'
        : agreed.problem;
    },
  };

  /** Only this switch is taken over: other changes of the files are not slipped in with it. */
  async function readIds(): Promise<ReadonlySet<string>> {
    const loaded = await loadProjectSettings(project.root, project.flags.settings, world);
    return settle(loaded, project, project.flags).snapshot.switches.disabledIds;
  }
}

/** Where something else holds it off, switching it on would change nothing. */
function isSwitchable(
  { id, scope, state }: Omit<ListedHook, 'switchable'>,
  { disabledIds, noHooks, disableAll }: HookSnapshot['switches'],
): boolean {
  if (scope === 'managed' || scope === 'host') return false;
  return state !== 'disabled' || (disabledIds.has(id) && !noHooks && disableAll === 'none');
}
