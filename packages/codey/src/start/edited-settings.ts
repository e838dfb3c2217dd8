// Settings that were edited under a session: what they say now, and the way to put that in force.
import type { LiveSession, SettingsReload } from '@codey/agent';
import {
  isOpen,
  type LoadedSettings,
  type ParsedHooks,
  renderReview,
  type Review,
  type TrustCheck,
} from '@codey/hooks';
import type { Permissions } from './permissions.ts';
import { type Project, settle } from './project.ts';

export interface EditedSettings extends Pick<SettingsReload, 'look' | 'decline'> {
  /**
   * Looks at what the repository supplies with them. Resolves with what the user has not been asked about yet: nothing of
   * that counts before a yes of its own. Undefined where there is nothing new, and where a flag has answered for all of it.
   */
  inspect(loaded: LoadedSettings): Promise<Review | undefined>;
  readonly agree: TrustCheck['agree'];
  /** For everything that begins from now on, as far as the user agreed to what was inspected. */
  putInForce(loaded: LoadedSettings): Promise<void>;
}

export interface EditedSettingsParts {
  readonly reload: SettingsReload;
  readonly project: Project;
  /** All hooks that do not stand in settings files, those of skills and agents included. */
  readonly contributed: readonly ParsedHooks[];
  readonly permissions: Permissions;
  readonly session: Pick<LiveSession, 'useHooks'>;
}

export function editedSettings(parts: EditedSettingsParts): EditedSettings {
  const { reload, project, contributed, permissions, session } = parts;
  const { flags, trust } = project;
  return {
    look: reload.look,
    decline: reload.decline,
    async inspect(loaded) {
      const known = renderReview(trust.review());
      const review = await trust.open({ loaded, contributed });
      const answered = flags.trustProjectHooks || flags.noHooks || flags.noProjectHooks;
      return answered || !isOpen(review) || renderReview(review) === known ? undefined : review;
    },
    agree: trust.agree,
    async putInForce(loaded) {
      const { snapshot, settings } = settle(loaded, project, flags);
      await permissions.useSettings(settings);
      session.useHooks(snapshot);
      reload.use(loaded);
    },
  };
}
