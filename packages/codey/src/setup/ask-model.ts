// Which model, from whom, and with which key: what is there already is found first and marked.
import { describeProvider, providerNames } from '@codey/agent';
import type { Settings } from '@codey/hooks';
import { defaultModels } from '../start/model.ts';
import { type Answer, setting } from './answer.ts';
import { keyFile } from './key-file.ts';
import { listModels } from './list-models.ts';
import { isSet, providerOf } from './missing-steps.ts';
import type { Ask } from './prompts/prompt.ts';
import { select } from './prompts/select.ts';
import { text } from './prompts/text.ts';

export interface ModelFacts {
  readonly settings: Pick<Settings, 'model' | 'providers'>;
  readonly environment: Readonly<Record<string, string>>;
  /** As `readKeys` gives them. */
  readonly keys: Readonly<Record<string, string>>;
  readonly home: string;
}

export interface ModelAnswers {
  readonly answers: readonly Answer[];
  /** A key that was typed, to be kept in the key file. */
  readonly key?: { readonly variable: string; readonly value: string };
}

export async function askModel(facts: ModelFacts, ask: Ask): Promise<ModelAnswers> {
  const provider = await askProvider(facts, ask);
  if (provider === keepModel) return { answers: [] };
  const address = provider === ownServer ? await askAddress(facts, ask) : undefined;
  const offered = address === undefined ? [] : await listModels(address, ownKey(facts));
  const model = await askName(provider, offered, facts, ask);
  const key = await askKey(provider, facts, ask);
  const answers = [
    setting(['model'], `${provider}/${model}`),
    ...(address === undefined ? [] : [setting(['providers', ownServer, 'baseURL'], address)]),
    ...key.answers,
  ];
  return { ...key, answers };
}

const ownServer = 'openai-compatible';
/** A scripted model, or one of a server the settings give a name: there is nothing to ask about it. */
const keepModel = '';

function askProvider({ settings, environment, keys }: ModelFacts, ask: Ask): Promise<string> {
  const known: readonly string[] = providerNames;
  const current = settings.model === undefined ? undefined : providerOf(settings.model);
  const keyOf = (name: string): string | undefined =>
    variablesOf(name, settings).find((variable) => isSet(environment[variable]) || isSet(keys[variable]));
  const factOf = (name: string): string | undefined =>
    keyOf(name) ?? (name === ownServer ? addressVariable(environment) : undefined);
  const kept = settings.model !== undefined && (current === undefined || !known.includes(current));
  return ask(
    select({
      question: 'Whose model should codey talk to?',
      rows: [
        ...(kept ? [{ value: keepModel, label: `as it is: ${settings.model}` }] : []),
        ...known.map((name) => {
          const variable = factOf(name);
          return {
            value: name,
            label:
              name === ownServer
                ? 'another server with an OpenAI-compatible API'
                : describeProvider(name).label,
            ...(variable !== undefined && { hint: `${variable} is set` }),
          };
        }),
      ],
      marked: kept
        ? keepModel
        : (current ?? known.find((name) => factOf(name) !== undefined) ?? known[0] ?? ownServer),
    }),
  );
}

async function askName(
  provider: string,
  offered: readonly string[],
  { settings }: ModelFacts,
  ask: Ask,
): Promise<string> {
  const nameIn = (id: string | undefined): string | undefined =>
    id?.startsWith(`${provider}/`) ? id.slice(provider.length + 1) : undefined;
  const current = nameIn(settings.model);
  const usual = defaultModels.map(({ model }) => nameIn(model)).find(isSet);
  const names = [...new Set([current, usual, ...offered].filter(isSet))];
  const other = '';
  const chosen =
    names.length === 0
      ? other
      : await ask(
          select({
            question: 'Which model?',
            rows: [
              ...names.map((name) => ({ value: name, label: name })),
              { value: other, label: 'another one, by name' },
            ],
          }),
        );
  if (chosen !== other) return chosen;
  return ask(
    text({
      question: 'The name of the model, as its provider writes it:',
      check: (name) => (name === '' ? 'Without a name no model can be asked.' : undefined),
    }),
  );
}

function askAddress({ settings, environment }: ModelFacts, ask: Ask): Promise<string> {
  const variable = addressVariable(environment);
  const current =
    settings.providers[ownServer]?.baseURL ?? (variable === undefined ? undefined : environment[variable]);
  return ask(
    text({
      question: 'The address of its API:',
      initial: current ?? 'http://localhost:8080/v1',
      check: (url) =>
        /^https?:\/\/[^/\s]/.test(url) && URL.canParse(url)
          ? undefined
          : 'An address begins with http:// or https://.',
    }),
  );
}

function addressVariable(environment: ModelFacts['environment']): string | undefined {
  return describeProvider(ownServer).baseUrlVariables.find((variable) => isSet(environment[variable]));
}

/** What the server may want to see before it says what it offers. */
function ownKey({ settings, environment, keys }: ModelFacts): string | undefined {
  return variablesOf(ownServer, settings)
    .map((variable) => environment[variable] ?? keys[variable])
    .find(isSet);
}

type KeySource = 'environment' | 'file' | 'typed' | 'variable' | 'later';

async function askKey(provider: string, facts: ModelFacts, ask: Ask): Promise<ModelAnswers> {
  const { settings, environment, keys, home } = facts;
  const variables = variablesOf(provider, settings);
  const inEnvironment = variables.find((variable) => isSet(environment[variable]));
  const inFile = variables.find((variable) => isSet(keys[variable]));
  const [standard = ''] = variables;
  const shownFile = keyFile(home).replace(home, '~');
  const source = await ask(
    select<KeySource>({
      question: `Where is the key for ${describeProvider(provider).label}?`,
      rows: [
        ...(inEnvironment === undefined
          ? []
          : [{ value: 'environment' as const, label: 'in the environment', hint: inEnvironment }]),
        ...(inFile === undefined
          ? []
          : [{ value: 'file' as const, label: 'kept from an earlier setup', hint: shownFile }]),
        ...(describeProvider(provider).needsKey ? [] : [{ value: 'later' as const, label: 'it needs none' }]),
        // The environment comes first wherever keys are looked for: one that is typed beside it would never be used.
        ...(inEnvironment !== undefined
          ? []
          : [
              {
                value: 'typed' as const,
                label: 'I will type or paste it now',
                hint: `${shownFile}, for your eyes only`,
              },
            ]),
        { value: 'variable', label: 'in a variable of another name' },
        ...(describeProvider(provider).needsKey
          ? [
              {
                value: 'later' as const,
                label: 'I will set it later',
                hint: `in ${standard}, before any prompt`,
              },
            ]
          : []),
      ],
      marked: inEnvironment !== undefined ? 'environment' : inFile !== undefined ? 'file' : 'later',
    }),
  );
  switch (source) {
    case 'environment':
    case 'file':
    case 'later':
      return { answers: [] };
    case 'typed': {
      const value = await ask(text({ question: 'The key:', secret: true, check: checkKey }));
      return value === '' ? { answers: [] } : { answers: [], key: { variable: standard, value } };
    }
    case 'variable': {
      const name = await ask(
        text({ question: 'The name of the variable:', initial: standard, check: checkVariable }),
      );
      return { answers: name === standard ? [] : [setting(['providers', provider, 'apiKeyEnv'], name)] };
    }
  }
}

/** A variable the user named is the only one that is looked at. */
function variablesOf(provider: string, { providers }: Pick<Settings, 'providers'>): readonly string[] {
  const named = providers[provider]?.apiKeyEnv;
  return named === undefined ? describeProvider(provider).keyVariables : [named];
}

function checkKey(key: string): string | undefined {
  return /[\s\p{Cc}]/u.test(key) ? 'A key has no blanks in it; it was not taken.' : undefined;
}

function checkVariable(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? undefined : 'A variable is letters, digits and underscores.';
}
