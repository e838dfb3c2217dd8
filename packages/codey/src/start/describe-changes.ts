// What differs between the settings in force and the files, in words for a person.
import type { SettingsChange } from '@codey/agent';

/** Each file once, in their order. */
export function changedFiles(changes: readonly SettingsChange[]): string {
  return [...new Set(changes.map(({ file }) => file))].join(', ');
}

/** A line for each file, below it one for each change: `+` came, `-` went, `~` is another. */
export function describeChanges(changes: readonly SettingsChange[]): string {
  const files = [...new Set(changes.map(({ file }) => file))];
  return files
    .flatMap((file) => [file, ...changes.filter((change) => change.file === file).map(describeChange)])
    .join('\n');
}

function describeChange({ kind, what, before, after }: SettingsChange): string {
  const value = kind === 'removed' ? before : after;
  const said = value === undefined ? '' : `: ${kind === 'changed' ? `${before ?? ''} → ${value}` : value}`;
  return `  ${signs[kind]} ${what}${said}`;
}

const signs: Readonly<Record<SettingsChange['kind'], string>> = { added: '+', removed: '-', changed: '~' };
