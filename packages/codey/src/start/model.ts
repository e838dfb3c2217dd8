// Which model answers: what was asked for, else the one whose key is there.
import { createModel, type Model, ModelError, type ModelSettings } from '@codey/agent';
import type { Settings } from '@codey/hooks';
import type { SetupStep } from '../setup/missing-steps.ts';
import { StartError } from './exit.ts';
import type { World } from './world.ts';

/** Used where neither flag nor settings name a model, by the key that is in the environment; the first found counts. */
export const defaultModels = [
  { key: 'ANTHROPIC_API_KEY', model: 'anthropic/claude-sonnet-4-5' },
  { key: 'OPENAI_API_KEY', model: 'openai/gpt-5' },
  { key: 'GEMINI_API_KEY', model: 'google/gemini-2.5-pro' },
] as const;

/** The id, or undefined when nothing says which. */
export function chooseModel(settings: Settings, environment: World['environment']): string | undefined {
  return settings.model ?? defaultModels.find(({ key }) => (environment[key] ?? '') !== '')?.model;
}

/** A step of the setup that keeps the model from being opened. */
export class StepMissing extends StartError {
  readonly step: SetupStep;

  constructor(step: SetupStep, message: string) {
    super(message);
    this.name = 'StepMissing';
    this.step = step;
  }
}

/** Throws StartError when there is no model or it cannot be used. */
export async function openModel(
  settings: Settings,
  environment: World['environment'],
  baseUrl: string | undefined,
  setupCommand?: string,
): Promise<Model> {
  const id = chooseModel(settings, environment);
  if (id === undefined) {
    throw new StepMissing(
      'model',
      'no model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, name one with --model <provider>/<name>, or run "codey setup"',
    );
  }
  try {
    return await createModel(id, modelSettings(settings, environment, baseUrl, setupCommand));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw error.kind === 'authentication'
      ? new StepMissing('key', error.message)
      : new StartError(error.message);
  }
}

export function modelSettings(
  { providers }: Settings,
  environment: World['environment'],
  baseUrl: string | undefined,
  setupCommand?: string,
): ModelSettings {
  return {
    environment,
    providers,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(setupCommand !== undefined && { setupCommand }),
  };
}

/** Said where somebody sits in front of it: a start that nobody watches is refused instead. */
export function sayUnanswered({ message }: StartError): string {
  return `no prompt can be answered yet: ${message}`;
}
