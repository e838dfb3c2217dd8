// Puts a review together from what is on disk and what was agreed to. Pure.
import { isFromRepository } from '../config/scopes.ts';
import type { LoadedSettings, SettingsFile } from '../config/settings.ts';
import { placeName } from '../config/values.ts';
import { settingsAgreement, shortName } from './agreement.ts';
import { reviewedSettings, whatRunsExactly } from './fingerprint.ts';
import type { Offer } from './offer.ts';
import type { Detail, Review, ReviewedHook, ReviewedSettings } from './review.ts';
import { type Standing, standings } from './standing.ts';
import type { Agreements } from './store.ts';
import type { AnyHook } from './trust.ts';

export interface ReviewSources {
  /** Real path of the project root. */
  readonly root: string;
  readonly offers: readonly Offer[];
  readonly loaded: LoadedSettings;
  readonly known: Agreements;
  /** How many hooks of the user `disableAllHooks` would turn off. */
  readonly ownHooks: number;
}

export function makeReview({ root, offers, loaded, known, ownHooks }: ReviewSources): Review {
  const files = loaded.files
    .filter(({ scope }) => isFromRepository(scope))
    .flatMap((file) => {
      const agreement = settingsAgreement(file, root);
      return agreement === undefined ? [] : [{ file, agreement }];
    });
  const present = [...offers, ...files].map(({ agreement }) => agreement);
  const standing = standings(known.agreements, present);
  return {
    root,
    hooks: offers.map((offer) => reviewHook(offer, standing(offer.agreement), root)),
    settings: files.map(({ file, agreement }) => ({
      ...reviewSettings(file, agreement.file, ownHooks),
      standing: standing(agreement),
      agreement,
    })),
    ...(known.problem !== undefined && { problem: known.problem }),
  };
}

function reviewHook(
  { hook, coverage, unseen, agreement }: Offer,
  standing: Standing,
  root: string,
): ReviewedHook {
  const { id, event, source } = hook;
  return {
    id,
    event,
    type: 'handler' in hook ? hook.handler.type : 'command',
    runs: whatRunsExactly(hook),
    details: [...handlerDetails(hook), ...('handler' in hook ? policyDetails(hook) : [])],
    place: `${shortName(source.file, root)}:${source.line}`,
    covered: coverage.listed,
    unseen,
    standing,
    agreement,
  };
}

function reviewSettings(
  file: SettingsFile,
  name: string,
  ownHooks: number,
): Pick<ReviewedSettings, 'place' | 'settings'> {
  const settings = Object.entries(reviewedSettings(file.values)).map(([key, value]) => {
    const line = file.places.get(placeName(key.split('.')))?.line ?? 1;
    const said = typeof value === 'string' ? value : JSON.stringify(value);
    const effect = key === 'disableAllHooks' ? `, which turns off ${ownHooks} of your hooks` : '';
    return { name: key, value: `${said}${effect}`, place: `${name}:${line}` };
  });
  return { place: settings[0]?.place ?? name, settings };
}

function handlerDetails(hook: AnyHook): readonly Detail[] {
  const handler = 'handler' in hook ? hook.handler : ({ type: 'command', command: hook.command } as const);
  switch (handler.type) {
    case 'command':
    case 'worker':
      return [
        ...('shell' in handler && handler.shell !== undefined
          ? [{ name: 'shell', value: handler.shell }]
          : []),
        ...variablesIn([handler.command, ...('args' in handler ? (handler.args ?? []) : [])]),
      ];
    case 'http':
      return [
        ...Object.entries(handler.headers).map(([name, value]) => ({ name: `header ${name}`, value })),
        ...(handler.allowedEnvVars.length === 0
          ? []
          : [{ name: 'sends your variables', value: handler.allowedEnvVars.join(', ') }]),
      ];
    case 'prompt':
    case 'agent':
      return handler.model === undefined ? [] : [{ name: 'model', value: handler.model }];
    case 'function':
      return [];
  }
}

function variablesIn(texts: readonly string[]): readonly Detail[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map((match) => match[1] ?? ''),
  );
  return names.length === 0 ? [] : [{ name: 'variables', value: [...new Set(names)].join(', ') }];
}

function policyDetails(hook: Extract<AnyHook, { handler: unknown }>): readonly Detail[] {
  const { matcher, condition, timeoutMs, once, async: inBackground, onFailure, source, statusMessage } = hook;
  return [
    ...(matcher.text === '' ? [] : [{ name: 'matcher', value: matcher.text }]),
    ...(condition === undefined ? [] : [{ name: 'if', value: condition.text }]),
    { name: 'timeout', value: `${timeoutMs / 1000} s` },
    ...(once ? [{ name: 'once', value: 'one time a session' }] : []),
    ...(inBackground ? [{ name: 'async', value: 'in the background' }] : []),
    ...(onFailure === 'block' ? [{ name: 'onFailure', value: 'blocks when it breaks' }] : []),
    ...(statusMessage === undefined ? [] : [{ name: 'shown as', value: statusMessage }]),
    ...(source.contributor === undefined ? [] : [{ name: 'from', value: source.contributor }]),
  ];
}
