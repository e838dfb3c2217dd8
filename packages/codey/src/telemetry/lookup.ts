// Finds the address of a name without ever holding up the end of the program.
import { lookup as systemLookup, Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';

export interface Lookup {
  readonly find: LookupFunction;
  /** Calls off what is being looked up. */
  cancel(): void;
}

export interface LookupOptions {
  /** `address:port` of name servers; those of the system if not given. */
  readonly servers?: readonly string[];
  /** The system's own. */
  readonly lookup?: LookupFunction;
}

/**
 * The system's own lookup knows files, search domains and local names, but cannot be called off, and while it waits for a
 * name server that is silent no process ends. So whether one answers at all is asked first, in a way that can be.
 */
export function createLookup({ servers, lookup = systemLookup }: LookupOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return {
    find(name, options, callback) {
      if (isLocal(name)) return lookup(name, options, callback);
      resolver.resolve4(name, (error) => {
        if (error !== null && isSilence.has(error.code ?? '')) callback(error, '', 0);
        else lookup(name, options, callback);
      });
    },
    cancel: () => resolver.cancel(),
  };
}

const isSilence: ReadonlySet<string> = new Set(['ETIMEOUT', 'ECANCELLED']);

/** Needs no name server. */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}
