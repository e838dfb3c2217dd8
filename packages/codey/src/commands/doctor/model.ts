// Which model answers, whether its key is there, and whether its address can be reached. The key is never sent.
import { modelAddress, ModelError } from '@codey/agent';
import { resolveSettings } from '@codey/hooks';
import { chooseModel, openModel } from '../../start/model.ts';
import { StartError } from '../../start/exit.ts';
import type { Check, Finding } from './finding.ts';

/** Milliseconds for an address to answer. */
const patience = 5_000;

export const checkModel: Check = async ({ loaded, world }) => {
  const { environment } = world;
  // What a repository says counts once it is agreed to, and then the session says so itself.
  const settings = resolveSettings(loaded, { agreed: () => false });
  const id = chooseModel(settings, environment);
  if (id === undefined)
    return [
      { about: 'model', state: 'problem', what: 'none is chosen and no key is set', todo: 'codey setup' },
    ];
  try {
    await openModel(settings, environment, undefined);
    const address = modelAddress(id, { environment, providers: settings.providers });
    return [address === undefined ? { about: 'model', state: 'ok', what: id } : await reach(id, address)];
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof ModelError)) throw error;
    return [{ about: 'model', state: 'problem', what: error.message, todo: 'codey setup' }];
  }
};

/** Any answer will do, since one without a key can only be a refusal. */
async function reach(id: string, address: string): Promise<Finding> {
  try {
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(patience) });
    return { about: 'model', state: 'ok', what: `${id}; ${new URL(address).host} answers` };
  } catch (error) {
    const { cause = error } = error as { readonly cause?: unknown };
    const why = cause instanceof Error ? cause.message || cause.name : String(cause);
    return {
      about: 'model',
      state: 'problem',
      what: `${id}: ${new URL(address).host} cannot be reached: ${why}`,
      todo: 'look at the network, a proxy, or --base-url',
    };
  }
}
