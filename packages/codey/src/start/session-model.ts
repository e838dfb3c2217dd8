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
  /**
   * What a start does that finds no model or no key: it runs the wizard, at once where nothing says which model and by
   * `/setup` where only the key is not there; it opens and tells what is missing; it opens without a word, for a command
   * that asks no model; or it is refused.
   */
  readonly without: 'wizard' | 'tell' | 'open' | 'refuse';
}

export interface SessionModel {
  readonly model: Model;
  /** Why each call of it will fail. */
  readonly missing?: StepMissing;
}

/**
 * Throws StartError when no session can open. The Setup hooks, which a session would have asked, were asked by then; where
 * the wizard comes next, it does that.
 */
export async function openSessionModel(facts: ModelFacts, world: World): Promise<SessionModel> {
  const { project, keys, baseUrl, without } = facts;
  const { settings } = project;
  const environment = await keys();
  try {
    return { model: await openModel(settings, environment, baseUrl, setupCommandOf(without)) };
  } catch (error) {
    const missing = error instanceof StepMissing && without !== 'refuse' ? error : undefined;
    const id = chooseModel(settings, environment);
    const needsWizard = without === 'wizard' && (missing?.step !== 'key' || id === undefined);
    if (missing !== undefined && !needsWizard) {
      if (without !== 'open') world.notices.warn(sayUnanswered(missing));
      const open = async (): Promise<Model> => {
        const found = await keys();
        const wanted = id ?? chooseModel(settings, found);
        if (wanted === undefined) throw missing;
        return createModel(wanted, modelSettings(settings, found, baseUrl, setupCommandOf(without)));
      };
      return { model: modelWithoutKey(id, open), missing };
    }
    if (missing === undefined) await askSetupHooks(facts, environment, world);
    throw error;
  }
}

/** The wizard as somebody who sits in front of this session runs it. */
export function setupCommandOf(without: ModelFacts['without']): string {
  return without === 'wizard' ? '/setup' : 'codey setup';
}

/** What onboarding still has to record. A flag answers for one run and records nothing. */
export function stepsMissing({ loaded, trust }: Project, keys: World['environment']): readonly SetupStep[] {
  return missingSteps(resolveSettings(loaded, { agreed: trust.agreed }), keys);
}

/** Each call looks for the key again, and fails with the sentence on what is missing. */
function modelWithoutKey(id: string | undefined, open: () => Promise<Model>): Model {
  const provider = id === undefined ? undefined : providerOf(id);
  const contextWindow =
    id === undefined || provider === undefined
      ? undefined
      : describeProvider(provider).contextWindow(id.slice(provider.length + 1));
  return {
    id: id ?? 'no model',
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
  const hooks = await openSetupHooks({
    projectRoot,
    snapshot,
    trust,
    family,
    world,
    events: ['Setup'],
  });
  try {
    await hooks.tellMissing(steps);
  } finally {
    await hooks.close();
  }
}
