// Where a provider is reached: the address as people write it, made into the one its API answers at.
import { ModelError } from './model.ts';

/** How a provider's clients complete an address. */
export interface VersionRule {
  /** Path segment the API lives under, such as `v1`. */
  readonly segment: string;
  /**
   * `unless-versioned`: added whenever the path does not end in a version, as the maker's own clients do.
   * `bare-host`: added only to an address without a path, because a path may be a gateway's own.
   */
  readonly when: 'unless-versioned' | 'bare-host';
}

/** The address without a slash at its end. Throws ModelError `invalid-request` when it is not an http address. */
export function completeBaseUrl(written: string, rule: VersionRule): string {
  const url = parseHttpUrl(written);
  const path = url.pathname.replace(/\/+$/, '');
  const versioned = /\/v\d+[a-z0-9]*$/.test(path);
  const incomplete = rule.when === 'bare-host' ? path === '' : !versioned;
  url.pathname = incomplete ? `${path}/${rule.segment}` : path;
  return url.href.replace(/\/+$/, '');
}

function parseHttpUrl(written: string): URL {
  const url = tryUrl(written);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new ModelError(
    'invalid-request',
    `the base URL ${JSON.stringify(written)} is not an http or https address; write it like https://host/v1`,
  );
}

function tryUrl(written: string): URL | null {
  try {
    return new URL(written);
  } catch {
    return null;
  }
}
