// Reads what a model answered to a hook: one JSON object that says something, or why it is none.
import type { Decoded } from '../dialects/dialect.ts';
import type { Answer } from '../policy/decision.ts';
import { outputCap } from './output-cap.ts';
import { isObject } from '../config/is-object.ts';

/** `why` completes "the answer of the model …" and quotes nothing of it. */
export type VerdictAnswer =
  | { readonly kind: 'answer'; readonly json: string }
  /** An object that refuses, with something beside that means nothing: a half-written no is still a no. */
  | { readonly kind: 'half-read'; readonly json: string; readonly why: string }
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * The whole answer must be the object, bare or in one code fence. An object inside other text is not looked for: it may
 * be the event's own words, quoted.
 */
export function readVerdictAnswer(text: string, decode: (json: string) => Decoded): VerdictAnswer {
  if (text.length > outputCap) return unreadable('is longer than 1 MiB');
  const json = withoutFence(text.trim());
  if (json === '') return unreadable('is empty');
  const value = parseObject(json);
  if (value === undefined) return unreadable('is not one JSON object and nothing else');
  if (!speakingKeys.some((key) => value[key] !== undefined && value[key] !== null)) {
    return unreadable('has no "ok"');
  }
  const decoded = decode(json);
  if (decoded.kind === 'answer') return { kind: 'answer', json };
  const why = 'has a known key with a value that means nothing there';
  return decoded.kind === 'broken' && tightens(decoded.answer)
    ? { kind: 'half-read', json, why }
    : unreadable(why);
}

/** An object without any of them decides nothing: from a hook that was asked for a verdict that is no answer. */
const speakingKeys = ['ok', 'decision', 'continue', 'hookSpecificOutput'] as const;

function tightens({ verdict, halt }: Answer): boolean {
  return verdict.kind === 'deny' || verdict.kind === 'ask' || halt !== undefined;
}

function withoutFence(text: string): string {
  return /^```(?:json)?[^\S\n]*\n((?:(?!```)[\s\S])*)```$/i.exec(text)?.[1]?.trim() ?? text;
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(why: string): VerdictAnswer {
  return { kind: 'unreadable', why };
}
