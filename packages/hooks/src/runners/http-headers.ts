// The headers of an http hook: variables expanded, nothing smuggled.
import { framesRequest } from '../config/framing-headers.ts';

/** Headers to send, or why the request must not be sent. */
export type Headers =
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * `${NAME}` becomes the variable's value if `allowed` lists it, else nothing. A message names the header, never its
 * value, which may be a secret.
 */
export function buildHeaders(
  written: Readonly<Record<string, string>>,
  allowed: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Headers {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': 'codey-hooks',
  };
  for (const [name, text] of Object.entries(written)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      return refuse(`${JSON.stringify(name)} is no name for a header`);
    const key = name.toLowerCase();
    if (framesRequest(name)) return refuse(`the header ${name} is set by codey and cannot be configured`);
    const value = text.replace(/\$\{(\w+)\}/g, (_, variable: string) =>
      allowed.includes(variable) ? (environment[variable] ?? '') : '',
    );
    // A line break would begin another header, or another request.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return refuse(
        `the value of the header ${name} holds a line break or another character that cannot be sent`,
      );
    }
    headers[key] = value;
  }
  return { kind: 'headers', headers };
}

function refuse(message: string): Headers {
  return { kind: 'refused', message };
}
