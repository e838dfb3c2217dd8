// The moment at which that format fires SessionStart once more: a conversation was compacted, and what a hook has to say
// at the start of one is gone. Here that moment is PostCompact, so such a hook is asked there in its own terms.
import type { Matcher } from '../../condition/matcher.ts';
import type { HookDefinition } from '../../config/hook.ts';
import { hookId } from '../../config/identity.ts';
import type { Dialect } from '../dialect.ts';
import { claude } from './claude.ts';
import { decodeFromClaude } from './decode.ts';
import { encodeForClaude } from './encode.ts';

/** For PostCompact hooks that were written as SessionStart hooks. */
export const claudeAfterCompaction: Dialect = {
  ...claude,
  encode(_event, payload) {
    return encodeForClaude('SessionStart', { ...payload, source: 'compact' } as never);
  },
  decode(_event, stdout) {
    const decoded = decodeFromClaude('SessionStart', stdout);
    if (decoded.kind !== 'text' || decoded.text === '') return decoded;
    return { kind: 'answer', answer: { verdict: { kind: 'none' }, additionalContext: decoded.text } };
  },
  exitTwo: () => 'failure',
};

/** The same hook at PostCompact; undefined if it is none of SessionStart or its matcher leaves compactions out. */
export function alsoAfterCompaction(hook: HookDefinition): HookDefinition | undefined {
  if (hook.event !== 'SessionStart' || hook.matcher.test('compact') === 'no') return undefined;
  const everyTime: Matcher = { text: hook.matcher.text, test: () => 'yes' };
  return {
    ...hook,
    event: 'PostCompact',
    id: hookId('PostCompact', hook.identity),
    matcher: everyTime,
    dialect: 'claudeAfterCompaction',
  };
}
