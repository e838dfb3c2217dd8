// The settings files in force, what is wrong with them, and what of the repository waits for a yes.
import { checkStart, heldBackNotice } from '@codey/hooks';
import { openHere } from '../open-here.ts';
import { suspicions } from '../validate/suspicions.ts';
import type { Check, Finding } from './finding.ts';

export const checkSettings: Check = async ({ root, loaded, world }) => {
  if (loaded.files.length === 0)
    return [{ about: 'settings', state: 'ok', what: 'no settings files; the defaults are in force' }];
  const odd = suspicions(loaded.files, { root, environment: world.environment });
  return loaded.files.map(({ file, scope, hooks, lifecycle, problems, warnings }): Finding => {
    const count = hooks.length + lifecycle.length;
    const said = `${file} (${scope}, ${count} ${count === 1 ? 'hook' : 'hooks'})`;
    const remarks = warnings.length + odd.filter((one) => one.file === file).length;
    if (problems.length > 0)
      return {
        about: 'settings',
        state: 'problem',
        what: `${said}: ${plural(problems.length, 'problem')}`,
        todo: 'codey hooks validate',
      };
    if (remarks > 0)
      return {
        about: 'settings',
        state: 'warning',
        what: `${said}: ${plural(remarks, 'warning')}`,
        todo: 'codey hooks validate',
      };
    return { about: 'settings', state: 'ok', what: said };
  });
};

export const checkTrust: Check = async ({ root, loaded, world }) => {
  if (checkStart(loaded) !== undefined) return [];
  // What it would warn of is among the other findings.
  const quiet = { note() {}, warn() {}, fail() {} };
  const { trust } = await openHere({ cwd: root }, { ...world, notices: quiet }, 'doctor');
  const review = trust.review();
  const held = heldBackNotice(review);
  if (held !== undefined)
    return [{ about: 'trust', state: 'warning', what: held, todo: 'codey hooks trust' }];
  const supplied = review.hooks.length + review.settings.length;
  return [
    {
      about: 'trust',
      state: 'ok',
      what:
        supplied === 0
          ? 'the repository supplies nothing that needs your agreement'
          : 'you agreed to everything the repository supplies',
    },
  ];
};

function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
