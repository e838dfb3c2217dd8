// The setup wizard: a few questions, then the settings are saved, then herdr's skill is fetched if that was wanted.
import { type Ancestry, type HookFlags, type LoadedSettings, resolveSettings } from '@codey/hooks';
import type { World } from '../start/world.ts';
import type { Answer } from './answer.ts';
import { askMode, askTheme } from './ask-manner.ts';
import { askModel, type ModelAnswers } from './ask-model.ts';
import { askOthers } from './ask-others.ts';
import { findHerdr } from './find-herdr.ts';
import { askForSkill, installSkill } from './herdr-skill.ts';
import { openProjectHooks, type SetupHooks } from './hooks.ts';
import { keyFile, readKeys, writeKey } from './key-file.ts';
import { missingSteps } from './missing-steps.ts';
import type { Ask } from './prompts/prompt.ts';
import { withBack } from './prompts/with-back.ts';
import { saveAnswers } from './save.ts';

export interface WizardOptions {
  readonly ask: Ask;
  readonly world: World;
  readonly home: string;
  /** Real path. */
  readonly projectRoot: string;
  /** Whatever stands in the files: the wizard asks for nothing to be right. */
  readonly loaded: LoadedSettings;
  readonly flags: HookFlags;
  readonly family: Pick<Ancestry, 'depth'>;
}

/**
 * Resolves with whether everything was done that was asked for. Rejects with SetupCancelled, and nothing was saved then.
 * It acts once, on the answer about herdr's skill; every other answer is recorded and no more.
 */
export async function runWizard(options: WizardOptions): Promise<boolean> {
  const { ask, world, home, projectRoot, loaded, flags, family } = options;
  const settings = resolveSettings(loaded, { agreed: () => false });
  const environment = { ...world.environment, ...settings.env };
  const keys = await readKeys(home);
  const hooks = await openProjectHooks({
    projectRoot,
    loaded,
    flags,
    family,
    world,
    events: ['Setup', 'ConfigChange'],
  });
  try {
    await hooks.tellMissing(missingSteps(settings, { ...keys, ...environment }));
    const { model, recorded, wantsSkill } = await withBack(async (again) => {
      const chosen = await askModel({ settings, environment, keys, home }, again);
      const manner = [await askMode(settings, again), await askTheme(settings, again)];
      const skill = (await findHerdr(environment)) && (await askForSkill(again));
      const others = await askOthers(
        (path) => ownValue(loaded, home, path),
        [['model'], ['permissions', 'mode'], ['theme']],
        again,
      );
      return { model: chosen, recorded: [...chosen.answers, ...manner, ...others], wantsSkill: skill };
    }, ask);
    const saved = await save(recorded, model.key, hooks, options);
    const installed = wantsSkill ? await fetchSkill(options) : true;
    return installed && saved;
  } finally {
    await hooks.close();
  }
}

/** A key belongs to the answers it was given with: where a hook refuses those, it is not kept either. */
async function save(
  answers: readonly Answer[],
  key: ModelAnswers['key'],
  hooks: SetupHooks,
  { world: { notices }, home, projectRoot }: WizardOptions,
): Promise<boolean> {
  const saved = await saveAnswers(answers, { home, projectRoot, hooks });
  for (const file of saved.files) notices.note(`saved in ${file}`);
  const problems = [...saved.problems];
  if (key !== undefined) {
    const problem = saved.refused.includes('user')
      ? 'the key was not kept either'
      : await writeKey(home, key.variable, key.value);
    if (problem === undefined) notices.note(`the key is kept in ${keyFile(home)}`);
    else problems.push(problem);
  }
  for (const problem of problems) notices.fail(problem);
  return problems.length === 0;
}

/** The answers are saved by now: only the download can be lost, and the next setup offers it again. */
async function fetchSkill({ world, home }: WizardOptions): Promise<boolean> {
  const installed = await installSkill({ home, environment: world.environment });
  if (installed.ok) world.notices.note(`herdr's skill was written to ${installed.file}`);
  else world.notices.fail(`${installed.message}. Nothing was written; setup offers it again.`);
  return installed.ok;
}

/** What the user's own files say, as it is written there. */
function ownValue({ files }: LoadedSettings, home: string, path: readonly string[]): unknown {
  const own = files.filter(
    ({ scope, file }) => scope === 'user' || (scope === 'managed' && file.startsWith(`${home}/`)),
  );
  const [said] = own
    .map(({ values }) => path.reduce<unknown>(step, values))
    .filter((value) => value !== undefined);
  return Array.isArray(said) ? said.map(writtenForm) : said;
}

function step(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** A rule is kept with its place; the file holds its text. */
function writtenForm(entry: unknown): unknown {
  const rule = step(entry, 'rule');
  return rule === undefined ? entry : step(rule, 'text');
}
