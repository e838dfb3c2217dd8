// From a model's id to a model: which provider, where it is, with which key.
import { completeBaseUrl } from './base-url.ts';
import { httpFetch } from './fetch/http-fetch.ts';
import { type Model, ModelError } from './model.ts';
import { createProviderModel, type ModelWorld } from './provider-model.ts';
import { anthropic } from './providers/anthropic.ts';
import { google } from './providers/google.ts';
import { openai } from './providers/openai.ts';
import { openaiCompatible } from './providers/openai-compatible.ts';
import type { Provider } from './providers/provider.ts';
import type { TextFiles } from './scripted.ts';
import { waitOnClock } from './wait.ts';
import { promptFiles, suggest } from '@codey/hooks';

/** From where a model gets its key and its address. */
export interface ModelSettings {
  /** Keys and addresses are read from it and from nowhere else. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `providers` of the settings: another address or key for a known provider, or a compatible server under its own name. */
  readonly providers?: Readonly<Record<string, { readonly baseURL?: string; readonly apiKeyEnv?: string }>>;
  /** `--base-url`; wins over settings and environment. */
  readonly baseUrl?: string;
  /** What to run to give a key, as sentences name it; `codey setup` unless it says otherwise. */
  readonly setupCommand?: string;
  readonly files?: TextFiles;
  readonly fetch?: typeof fetch;
  readonly world?: Partial<ModelWorld>;
}

/** Providers known by name; a `script:` model is none. */
export const providerNames = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;

/**
 * The model with this id: `<provider>/<model>` or `script:<file>`. Imports no provider client and opens no connection;
 * that happens at the first call. Throws ModelError: `invalid-request` for an id or address that cannot be right,
 * `authentication` when there is no key, `script` for a script that cannot be played.
 */
export async function createModel(id: string, settings: ModelSettings): Promise<Model> {
  if (id.startsWith('script:')) return loadScript(id.slice('script:'.length), settings);
  const { name, model } = parseId(id, settings);
  const provider = providerNamed(name, settings);
  const apiKey = findKey(id, name, provider, settings);
  return createProviderModel({
    id,
    model,
    provider,
    connection: {
      apiKey: apiKey.value,
      baseUrl: findBaseUrl(name, provider, settings),
      fetch: settings.fetch ?? httpFetch,
    },
    keyHint: `the key comes from ${apiKey.variable}; change it there or with ${setupCommandOf(settings)}`,
    world: { wait: waitOnClock, random: Math.random, now: Date.now, ...settings.world },
  });
}

/** Starts the import of the one client package this model needs, so that it is there when the first prompt is sent. */
export function preload(id: string): void {
  const slash = id.indexOf('/');
  if (id.startsWith('script:') || slash < 0) return;
  const name = id.slice(0, slash);
  // A client that cannot be imported is reported by the first call, to somebody.
  (builtIn(name) ?? openaiCompatible(name)).load().catch(() => {});
}

async function loadScript(path: string, { files, world }: ModelSettings): Promise<Model> {
  if (path === '') throw new ModelError('invalid-request', 'script: needs a file, as in script:story.yaml');
  const { loadScriptedModel } = await import('./scripted.ts');
  return loadScriptedModel(path, files ?? promptFiles, world?.wait);
}

function parseId(id: string, settings: ModelSettings): { readonly name: string; readonly model: string } {
  const slash = id.indexOf('/');
  const name = id.slice(0, slash);
  const model = id.slice(slash + 1);
  if (slash > 0 && model !== '') return { name, model };
  const guess = makerOf(id);
  const hint =
    guess === undefined
      ? `providers: ${knownNames(settings).join(', ')}`
      : `did you mean ${guess}/${id.replace(/\/+$/, '')}?`;
  throw new ModelError(
    'invalid-request',
    `${JSON.stringify(id)} is not a model; write <provider>/<model> or script:<file> (${hint})`,
  );
}

function makerOf(model: string): string | undefined {
  if (/^claude/i.test(model)) return 'anthropic';
  if (/^(?:gpt|o\d|codex)/i.test(model)) return 'openai';
  return /^gemini/i.test(model) ? 'google' : undefined;
}

function providerNamed(name: string, settings: ModelSettings): Provider {
  const known = builtIn(name);
  if (known !== undefined) return known;
  if (Object.hasOwn(settings.providers ?? {}, name)) return openaiCompatible(name);
  const meant = suggest(name, knownNames(settings));
  const hint = meant === undefined ? `known: ${knownNames(settings).join(', ')}` : `did you mean ${meant}?`;
  throw new ModelError(
    'invalid-request',
    `there is no provider ${JSON.stringify(name)} (${hint}); a server of your own is named in the settings: providers.${name}.baseURL`,
  );
}

/** Where the requests of this model would go; undefined for a script. Throws as `createModel` does, but for a missing key. */
export function modelAddress(
  id: string,
  settings: Pick<ModelSettings, 'environment' | 'providers' | 'baseUrl'>,
): string | undefined {
  if (id.startsWith('script:')) return undefined;
  const { name } = parseId(id, settings);
  return findBaseUrl(name, providerNamed(name, settings), settings);
}

/** What is known of a provider before it answers: how it is called, where its key is looked for, how much its models hold. */
export function describeProvider(
  name: string,
): Pick<Provider, 'label' | 'keyVariables' | 'baseUrlVariables' | 'needsKey' | 'contextWindow'> {
  return builtIn(name) ?? openaiCompatible(name);
}

function builtIn(name: string): Provider | undefined {
  switch (name) {
    case 'anthropic':
      return anthropic;
    case 'openai':
      return openai;
    case 'google':
      return google;
    case 'openai-compatible':
      return openaiCompatible(name);
    default:
      return undefined;
  }
}

function knownNames(settings: ModelSettings): string[] {
  return [...new Set([...providerNames, ...Object.keys(settings.providers ?? {})])];
}

/** A variable the user named is the only one looked at: a key meant for another server must not go to this one. */
function findKey(
  id: string,
  name: string,
  provider: Provider,
  settings: ModelSettings,
): { readonly variable: string; readonly value: string | undefined } {
  const { environment, providers } = settings;
  const named = providers?.[name]?.apiKeyEnv;
  const variables = named === undefined ? provider.keyVariables : [named];
  const variable = variables.find((candidate) => isSet(environment[candidate]));
  if (variable !== undefined) return { variable, value: environment[variable] };
  if (provider.needsKey || named !== undefined) {
    throw new ModelError(
      'authentication',
      `${id} needs a key and ${variables.join(' or ')} is not set; set it, or run ${setupCommandOf(settings)}`,
    );
  }
  return { variable: variables[0] ?? '', value: undefined };
}

function setupCommandOf({ setupCommand = 'codey setup' }: ModelSettings): string {
  return setupCommand;
}

/** Flag, then settings, then environment, then the maker's own. */
function findBaseUrl(
  name: string,
  provider: Provider,
  { baseUrl, providers, environment }: ModelSettings,
): string {
  const fromEnvironment = provider.baseUrlVariables.map((variable) => environment[variable]).find(isSet);
  const written = [baseUrl, providers?.[name]?.baseURL, fromEnvironment].find(isSet);
  if (written !== undefined) return completeBaseUrl(written, provider.version);
  if (provider.address !== undefined) return provider.address;
  throw new ModelError(
    'invalid-request',
    `${name} needs an address: give --base-url, set providers.${name}.baseURL in the settings, or ${provider.baseUrlVariables.join(' or ')}`,
  );
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
