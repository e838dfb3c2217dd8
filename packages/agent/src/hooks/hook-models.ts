// Which model answers a hook: the one it names, else the session's.
import type { Model } from '../model/model.ts';

/** Rejects with a sentence for the user when the model named cannot be had. */
export type HookModels = (id: string | undefined) => Promise<Model>;

export interface HookModelOptions {
  /** The session's model at this moment. */
  readonly current: () => Model;
  /** Opens another model by its id; absent in a host that has none but the session's. */
  readonly open?: (id: string) => Promise<Model>;
}

/** Opens each model once. One that could not be opened is tried again: its key may be there by then. */
export function createHookModels({ current, open }: HookModelOptions): HookModels {
  const opened = new Map<string, Promise<Model>>();
  return (id) => {
    if (id === undefined || id === current().id) return Promise.resolve(current());
    if (open === undefined) {
      return Promise.reject(
        new Error(`this program cannot open ${id}; leave "model" out to use the session's`),
      );
    }
    const known = opened.get(id);
    if (known !== undefined) return known;
    const model = open(id);
    opened.set(id, model);
    model.catch(() => opened.delete(id));
    return model;
  };
}
