// What texts with a meaning of their own must look like.
import { framesRequest } from './framing-headers.ts';
import type { Complaint } from './shape.ts';

export function variableName(name: string): Complaint | undefined {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return undefined;
  return {
    message: 'must be the name of an environment variable',
    hint: 'letters, digits and _, not beginning with a digit',
  };
}

export function httpUrl(value: string): Complaint | undefined {
  if (!/^https?:\/\//i.test(value)) {
    return {
      message: 'must be an address that begins with http:// or https://',
      hint: 'such as https://host/path',
    };
  }
  if (!URL.canParse(value)) return { message: 'is not an address', hint: 'such as https://host/path' };
  const { username, password } = new URL(value);
  if (username === '' && password === '') return undefined;
  return { message: 'cannot hold a user name or password', hint: 'send an Authorization header instead' };
}

/** What `matchesUrlPattern` would never match is a mistake. */
export function urlPattern(pattern: string): Complaint | undefined {
  if (pattern === '*' || /^[^/?#]+:\/\/[^/?#]+(?:\/.*)?$/.test(pattern.trim())) return undefined;
  return {
    message: 'must be * or begin with a scheme and a host',
    hint: 'such as https://*.example.com/hooks/*',
  };
}

export function noNul(value: string): Complaint | undefined {
  return value.includes('\0')
    ? { message: 'holds a NUL character, which cannot be handed to a program' }
    : undefined;
}

export function headerName(name: string): Complaint | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return { message: 'cannot be the name of a header' };
  return framesRequest(name)
    ? { message: 'is a header that codey sets itself', hint: 'leave it out' }
    : undefined;
}

export function headerValue(value: string): Complaint | undefined {
  return /[\r\n\0]/.test(value) ? { message: 'holds a line break or a NUL character' } : undefined;
}
