// The settings files that count, in the order in which one overrules the other.
import type { LoadedSettings, SettingsFile } from '@codey/hooks';

const strongestLast = ['user', 'project', 'local', 'settings', 'managed'] as const;

/** Weakest first; without the files of a repository that the user did not agree to. */
export function agreedFiles(
  loaded: LoadedSettings,
  agreed: (file: SettingsFile) => boolean,
): readonly SettingsFile[] {
  return strongestLast.flatMap((scope) =>
    loaded.files
      .filter((file) => file.scope === scope && (!isOfRepository(file) || agreed(file)))
      .toReversed(),
  );
}

/** Whether the file comes with the repository, so that it needs the user's consent. */
export function isOfRepository({ scope }: SettingsFile): boolean {
  return scope === 'project' || scope === 'local';
}
