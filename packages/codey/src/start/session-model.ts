// The model a session opens with. Where a person sits in front of it, its key may still come.
import { createModel, describeProvider, type Model } from '@codey/agent';
import { type Ancestry, resolveSettings } from '@codey/hooks';
import { missingSteps, providerOf, type SetupStep } from '../setup/missing-steps.ts';
import { chooseModel, modelSettings, openModel, sayUnanswered, StepMissing } from './model.ts';
import type { Project } from './project.ts';
import type { World } from './world.ts';

export interface ModelFacts {
  readonly project: Project;
  /** The environment of the session with the kept keys behind it, as they are now. */
  readonly keys: () => Promise<World['environment']>;
  readonly baseUrl: string | undefined;
  readonly family: Pick<Ancestry, 'depth'>;
  /** The wizard can be run here: at once where nothing says which model, by `/setup` where only the key is not there. */
  readonly hasWizard: boolean;
}

/**
 * Throws StartError when no session can open. The Setup hooks, which a session would have asked, were asked by then; where
 * the wizard comes next, it does that.
 */
export async function openSessionModel(facts: ModelFacts, world: World): Promise<Model> {
  const { project, keys, baseUrl } = facts;
  const { settings } = project;
  const environment = await keys();
  try {
    return await openModel(settings, environment, baseUrl, setupCommandOf(facts));
  } catch (error) {
    const missing = error instanceof StepMissing && facts.hasWizard ? error : undefined;
    const id = chooseModel(settings, environment);
    if (missing?.step === 'key' && id !== undefined) {
      world.notices.warn(sayUnanswered(missing));
      return modelWithoutKey(id, async () =>
        createModel(id, modelSettings(settings, await keys(), baseUrl, setupCommandOf(facts))),
      );
    }
    if (missing === undefined) await askSetupHooks(facts, environment, world);
    throw error;
  }
}

/** The wizard as somebody who sits in front of this session runs it. */
export function setupCommandOf({ hasWizard }: Pick<ModelFacts, 'hasWizard'>): string {
  return hasWizard ? '/setup' : 'codey setup';
}

/** What onboarding still has to record. A flag answers for one run and records nothing. */
export function stepsMissing({ loaded, trust }: Project, keys: World['environment']): readonly SetupStep[] {
  return missingSteps(resolveSettings(loaded, { agreed: trust.agreed }), keys);
}

/** Each call looks for the key again, and fails with the sentence on what is missing. */
function modelWithoutKey(id: string, open: () => Promise<Model>): Model {
  const provider = providerOf(id) ?? '';
  const contextWindow = describeProvider(provider).contextWindow(id.slice(provider.length + 1));
  return {
    id,
    ...(contextWindow !== undefined && { contextWindow }),
    async *stream(request) {
      yield* (await open()).stream(request);
    },
  };
}

async function askSetupHooks(
  { project, family }: ModelFacts,
  keys: World['environment'],
  world: World,
): Promise<void> {
  const steps = stepsMissing(project, keys);
  if (steps.length === 0) return;
  const { openSetupHooks } = await import('../setup/hooks.ts');
  const { root: projectRoot, snapshot, trust } = project;
  const hooks = await openSetupHooks({ projectRoot, snapshot, trust, family, world });
  try {
    await hooks.tellMissing(steps);
  } finally {
    await hooks.close();
  }
}
