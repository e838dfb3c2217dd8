// What onboarding would still have to record, for the Setup hooks and for the wizard.
import { describeProvider } from '@codey/agent';
import type { Settings } from '@codey/hooks';

export type SetupStep = 'model' | 'key';

/**
 * `model`: no flag and no settings file says which. `key`: its provider needs one and there is none. The environment
 * counts with the kept keys (`readKeys`) behind it.
 */
export function missingSteps(
  { model, providers }: Pick<Settings, 'model' | 'providers'>,
  environment: Readonly<Record<string, string>>,
): readonly SetupStep[] {
  if (model === undefined) return ['model'];
  const name = providerOf(model);
  if (name === undefined) return [];
  const named = providers[name]?.apiKeyEnv;
  const { keyVariables, needsKey } = describeProvider(name);
  const variables = named === undefined ? keyVariables : [named];
  const needed = needsKey || named !== undefined;
  return needed && !variables.some((variable) => isSet(environment[variable])) ? ['key'] : [];
}

/** Undefined for a scripted model, which has no provider. */
export function providerOf(model: string): string | undefined {
  const slash = model.indexOf('/');
  return model.startsWith('script:') || slash <= 0 ? undefined : model.slice(0, slash);
}

export function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
