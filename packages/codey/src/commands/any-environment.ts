// For looking at a definition whose variables are read only when it is started.

/** Every variable is set, to nothing. */
export const anyEnvironment: Readonly<Record<string, string>> = new Proxy<Record<string, string>>(
  {},
  { get: () => '' },
);
