// What differs between two readings of the settings files, as lines a person can say yes or no to.
import type {
  HookDefinition,
  LifecycleHook,
  LoadedSettings,
  SettingsFile,
  SettingsValues,
} from '@codey/hooks';

export interface SettingsChange {
  /** Absolute path of the settings file. */
  readonly file: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** For instance `PreToolUse hook, matcher run_shell: command ./guard.sh`, `deny rule run_shell(git push*)`, `model`. */
  readonly what: string;
  /** Hooks, rules and switches can be put in force in a session under way; what it was started with stays its own. */
  readonly counts: 'at once' | 'from the next session';
  /** For `changed` where it may be shown: what it was and what it is. */
  readonly before?: string;
  readonly after?: string;
}

/** Pure; in the order of the files, in each what went before what came. Empty where both say the same. */
export function settingsChanges(before: LoadedSettings, after: LoadedSettings): readonly SettingsChange[] {
  const files = [...new Set([...before.files, ...after.files].map(({ file }) => file))];
  return files.flatMap((file) => {
    const of = (loaded: LoadedSettings) => loaded.files.find((one) => one.file === file);
    return fileChanges(file, of(before), of(after));
  });
}

/** What is in force, with one value of one file as it is now read. */
export function adoptValue(
  inForce: LoadedSettings,
  { files }: LoadedSettings,
  file: string,
  key: string,
): LoadedSettings {
  const now = files.find((one) => one.file === file);
  if (now === undefined) return inForce;
  const known = inForce.files.find((one) => one.file === file);
  // A file that was not there before is there with this value and nothing else.
  const before: SettingsFile = known ?? { ...now, values: {}, hooks: [], lifecycle: [] };
  const others = Object.entries(before.values).filter(([name]) => name !== key);
  const own = Object.entries(now.values).filter(([name]) => name === key);
  const values: SettingsValues = Object.fromEntries([...others, ...own]);
  const adopted: SettingsFile = { ...before, values };
  return {
    ...inForce,
    files:
      known === undefined
        ? [...inForce.files, adopted]
        : inForce.files.map((one) => (one === known ? adopted : one)),
  };
}

function fileChanges(
  file: string,
  before: SettingsFile | undefined,
  after: SettingsFile | undefined,
): readonly SettingsChange[] {
  const lists = listChanges(file, listsOf(before), listsOf(after));
  return [...lists, ...valueChanges(file, valuesOf(before), valuesOf(after))];
}

/** Hooks and rules: each is there or not. */
function listsOf(file: SettingsFile | undefined): readonly string[] {
  if (file === undefined) return [];
  const { permissions } = file.values;
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (permissions?.[list] ?? []).map(({ rule }) => `${list} rule ${rule.text}`),
  );
  return [...[...file.hooks, ...file.lifecycle].map(describeHook), ...rules];
}

function listChanges(
  file: string,
  before: readonly string[],
  after: readonly string[],
): readonly SettingsChange[] {
  const removed = without(before, after);
  const added = without(after, before);
  if (removed.length + added.length === 0 && before.join('\n') !== after.join('\n'))
    return [{ file, kind: 'changed', what: 'the order of its hooks and rules', counts: 'at once' }];
  return [
    ...removed.map((what) => ({ file, kind: 'removed', what, counts: 'at once' }) as const),
    ...added.map((what) => ({ file, kind: 'added', what, counts: 'at once' }) as const),
  ];
}

/** Two equal entries are two entries. */
function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return list.filter((entry) => {
    const index = left.indexOf(entry);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** Everything that decides whether, when and how it runs. */
function describeHook(hook: HookDefinition | LifecycleHook): string {
  if (!('handler' in hook)) return `${hook.event} hook: ${hook.command}`;
  const { event, matcher, condition, handler, timeoutMs, once, async, onFailure } = hook;
  const when = [
    ...(matcher.text === '' ? [] : [`matcher ${matcher.text}`]),
    ...(condition === undefined ? [] : [`if ${condition.text}`]),
    ...(once ? ['once'] : []),
    ...(async ? ['async'] : []),
    ...(onFailure === 'block' ? ['onFailure block'] : []),
    `timeout ${timeoutMs / 1_000} s`,
  ];
  return `${event} hook, ${when.join(', ')}: ${handler.type} ${describeHandler(handler)}`;
}

function describeHandler(handler: HookDefinition['handler']): string {
  switch (handler.type) {
    case 'command':
    case 'worker': {
      const { command, args = [], shell } = handler;
      return [command, ...args, ...(shell === undefined ? [] : [`(shell ${shell})`])].join(' ');
    }
    case 'http': {
      const { url, headers, allowedEnvVars } = handler;
      const names = [
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...allowedEnvVars,
      ];
      return [url, ...(names.length === 0 ? [] : [`(${names.join(', ')})`])].join(' ');
    }
    case 'prompt':
    case 'agent':
      return [handler.prompt, ...(handler.model === undefined ? [] : [`(model ${handler.model})`])].join(' ');
    case 'function':
      return handler.name;
  }
}

/** Single values by name, with what may be shown of them. */
type NamedValues = ReadonlyMap<string, { readonly whole: string; readonly shown?: string }>;

function valuesOf(file: SettingsFile | undefined): NamedValues {
  const found = new Map<string, { whole: string; shown?: string }>();
  if (file === undefined) return found;
  const { permissions, ...values } = file.values;
  if (permissions?.mode !== undefined) found.set('permissions.mode', plain(permissions.mode));
  for (const [key, value] of Object.entries(values)) {
    if (byName.has(key as keyof SettingsValues)) {
      for (const [name, one] of Object.entries(value as object)) {
        const whole = canonical(one);
        const shown = key === 'mcpServers' || key === 'plugins' ? canonical(masked(one)) : undefined;
        found.set(`${key}.${name}`, { whole, ...(shown !== undefined && { shown }) });
      }
    } else found.set(key, plain(value));
  }
  return found;
}

/** Keys that hold values of the user's own names. Those of variables and providers are never shown: they may be secrets. */
const byName: ReadonlySet<keyof SettingsValues> = new Set(['env', 'providers', 'mcpServers', 'plugins']);

/** Single values that snapshots and permissions are made of. */
const switches: ReadonlySet<string> = new Set<keyof SettingsValues | 'permissions.mode'>([
  'permissions.mode',
  'disableAllHooks',
  'disabledHooks',
  'hookEnv',
  'allowManagedHooksOnly',
  'allowedHttpHookUrls',
  'hookFailure',
]);

function plain(value: unknown): { readonly whole: string; readonly shown: string } {
  const whole = canonical(value);
  return { whole, shown: whole };
}

function valueChanges(file: string, before: NamedValues, after: NamedValues): readonly SettingsChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((what): readonly SettingsChange[] => {
    const [was, is] = [before.get(what), after.get(what)];
    if (was?.whole === is?.whole) return [];
    const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    return [
      {
        file,
        kind,
        what,
        counts: switches.has(what) ? 'at once' : 'from the next session',
        ...(was?.shown !== undefined && { before: was.shown }),
        ...(is?.shown !== undefined && { after: is.shown }),
      },
    ];
  });
}

/** The command that would run stays readable; what it is given as variables and headers does not. */
function masked(definition: unknown): unknown {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) return definition;
  return Object.fromEntries(
    Object.entries(definition).map(([key, value]) => [
      key,
      (key === 'env' || key === 'headers') && typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.keys(value).map((name) => [name, '…']))
        : value,
    ]),
  );
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
