// The agent a model is while it answers a hook; the scripted model keeps its script under this name.

export const hookAgent = { name: 'hook', type: 'hook' } as const;
