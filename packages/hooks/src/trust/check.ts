// One session's trust in what its repository supplies: decided when it opens, watched until it ends.
import { realpathSync } from 'node:fs';
import type { ParsedHooks } from '../config/hooks-section.ts';
import { isFromRepository, type LocationOptions } from '../config/scopes.ts';
import type { LoadedSettings, SettingsFile } from '../config/settings.ts';
import { settingsAgreement } from './agreement.ts';
import { type FilePresence, rememberFiles } from '../runners/find-program.ts';
import { createFrozenHooks, keyOf } from './frozen.ts';
import { createInspection } from './inspection.ts';
import { directoryVariables, makeOffer, type Offer, type Surroundings } from './offer.ts';
import { protectedPaths } from './protected-paths.ts';
import { makeReview } from './make-review.ts';
import type { Review } from './review.ts';
import { type Standing, standings } from './standing.ts';
import type { Agreement, Agreements, StoreResult, TrustStore } from './store.ts';
import type { AnyHook, TrustPort, TrustState } from './trust.ts';
import { checkVanished, type HookPlace, whatIsMissing } from './vanishing.ts';

export interface TrustCheckOptions {
  /** As settings are loaded with them; the project root is what agreements are kept by. */
  readonly locations: LocationOptions;
  readonly store: TrustStore;
  /** What hooks inherit. */
  readonly environment: Readonly<Record<string, string>>;
  /** `--trust-project-hooks`: yes for this run, stored nowhere. */
  readonly trustProjectHooks?: boolean;
  /** Names of the variables that hold the workspace; those of the native dialect if not given. */
  readonly projectVariables?: readonly string[];
  /** Names of those that hold the root of a hook's plugin or skill; those of the native dialect if not given. */
  readonly contributorVariables?: readonly string[];
  /** Where the host reads agents and skills from. Absolute. */
  readonly definitionFolders?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Everything that is, or is about to be, in force. */
export interface TrustSubject {
  readonly loaded: LoadedSettings;
  /** Hooks of plugins and skills. */
  readonly contributed?: readonly ParsedHooks[];
}

/** The question about trust for one session. */
export interface TrustCheck extends TrustPort {
  /**
   * Looks at everything and freezes what it sees of hooks it has not seen yet; hooks it knows stay as they were when
   * they were first seen, unless the user agreed to what they are now. Called when a session opens and at each reload.
   */
  open(subject: TrustSubject): Promise<Review>;
  /** What the last `open` found, with what was agreed to since. */
  review(): Review;
  /** Stores the user's yes to what a review shows and puts it in force. A review with entries left out agrees to the rest. */
  agree(review: Review): Promise<StoreResult>;
  /** Whether the user agreed to what a repository's file sets beside hooks; as of the last `open`. */
  agreed(file: SettingsFile): boolean;
  /** Absolute paths of files and whole folders that no agent may change without a human's yes. */
  coveredPaths(): Promise<readonly string[]>;
}

/** Compares what a repository supplies with what the user agreed to, before every start of a hook. */
export function createTrustCheck(options: TrustCheckOptions): TrustCheck {
  const { locations, store, environment, trustProjectHooks = false, now = Date.now } = options;
  const root = locations.projectRoot;
  const surroundings: Surroundings = {
    root,
    path: environment.PATH ?? '',
    projectVariables: options.projectVariables ?? ['CODEY_PROJECT_DIR', 'KODER_PROJECT_DIR'],
    contributorVariables: options.contributorVariables ?? ['CODEY_SKILL_DIR', 'KODER_SKILL_DIR'],
  };
  const frozen = createFrozenHooks(surroundings, now);
  const arriving = new Map<string, Promise<void>>();
  let lookedAt: FilePresence | undefined;
  const missingAtStart = new Map<string, string | undefined>();
  let agreements: Agreements | undefined;
  /** Fingerprints of `agreements`. */
  let agreedTo: ReadonlySet<string> = new Set();
  let offers: readonly Offer[] = [];
  let hooks: readonly AnyHook[] = [];
  let review: Review = { root, hooks: [], settings: [] };

  function remember(known: Agreements): Agreements {
    agreements = known;
    agreedTo = new Set(known.agreements.map(({ fingerprint }) => fingerprint));
    return known;
  }

  function admit(offer: Offer, standing: Standing): void {
    frozen.admit(offer, trustProjectHooks ? 'trusted' : standing.kind, standing.kind === 'trusted');
  }

  /** A hook that nobody announced, such as that of a skill which was activated just now. */
  async function arrive(hook: AnyHook): Promise<void> {
    const { agreements: known } = agreements ?? remember(await store.load(root));
    const offer = await makeOffer(hook, surroundings, createInspection(now));
    offers = [...offers, offer];
    const present = offers.map(({ agreement }) => agreement);
    admit(offer, standings(known, present)(offer.agreement));
  }

  function arriveOnce(hook: AnyHook): Promise<void> {
    const key = keyOf(hook);
    const arrival = arriving.get(key) ?? arrive(hook).finally(() => arriving.delete(key));
    arriving.set(key, arrival);
    return arrival;
  }

  function noteStart(hook: AnyHook, workspace: string, present?: FilePresence): void {
    const key = keyOf(hook);
    if (missingAtStart.has(key)) return;
    missingAtStart.set(key, whatIsMissing(hook, placeOf(hook, workspace), present));
  }

  function checkOwn(hook: AnyHook, workspace: string): TrustState {
    const present = presentNow();
    noteStart(hook, workspace, present);
    return checkVanished(hook, missingAtStart.get(keyOf(hook)), placeOf(hook, workspace), present);
  }

  /** The hooks of one dispatch are looked at in one turn of the event loop, and start few different programs. */
  function presentNow(): FilePresence {
    if (lookedAt === undefined) {
      lookedAt = rememberFiles();
      setImmediate(() => {
        lookedAt = undefined;
      });
    }
    return lookedAt;
  }

  function placeOf(hook: AnyHook, cwd: string): HookPlace {
    return { cwd, environment: { ...environment, ...directoryVariables(hook, cwd, surroundings) } };
  }

  function isAgreed(agreement: Agreement): boolean {
    return agreedTo.has(agreement.fingerprint);
  }

  return {
    check(hook, workspace) {
      const directory = workspace === undefined || workspace === root ? root : realPathOf(workspace);
      if (!hook.source.fromRepository) return checkOwn(hook, directory);
      return frozen.knows(hook)
        ? frozen.check(hook, directory)
        : arriveOnce(hook).then(() => frozen.check(hook, directory));
    },

    async open({ loaded, contributed = [] }) {
      const known = remember(await store.load(root));
      hooks = [
        ...loaded.files.flatMap((file) => [...file.hooks, ...file.lifecycle]),
        ...contributed.flatMap(bothKinds),
      ];
      const present = rememberFiles();
      for (const hook of hooks) if (!hook.source.fromRepository) noteStart(hook, root, present);
      const supplied = hooks.filter(({ source }) => source.fromRepository);
      const look = createInspection(now);
      offers = await Promise.all(supplied.map((hook) => makeOffer(hook, surroundings, look)));
      review = makeReview({ root, offers, loaded, known, ownHooks: countOwn(hooks) });
      review.hooks.forEach(({ standing }, index) => {
        const offer = offers[index];
        if (offer !== undefined) admit(offer, standing);
      });
      return review;
    },

    review: () => review,

    async agree(shown) {
      const yes = [...shown.hooks, ...shown.settings].map(({ agreement }) => agreement);
      const stored = await store.agree(root, yes);
      if (!stored.ok) return stored;
      remember({ agreements: [...(agreements?.agreements ?? []), ...yes] });
      const trusted: Standing = { kind: 'trusted' };
      for (const offer of offers) if (isAgreed(offer.agreement)) admit(offer, trusted);
      const settle = <T extends { readonly agreement: Agreement; readonly standing: Standing }>(
        entry: T,
      ): T => (isAgreed(entry.agreement) ? { ...entry, standing: trusted } : entry);
      review = { root, hooks: review.hooks.map(settle), settings: review.settings.map(settle) };
      return stored;
    },

    agreed(file) {
      if (!isFromRepository(file.scope) || trustProjectHooks) return true;
      const agreement = settingsAgreement(file, root);
      return agreement === undefined || isAgreed(agreement);
    },

    coveredPaths: () =>
      protectedPaths({
        locations,
        storeFile: store.file,
        covered: frozen.paths(),
        hooks,
        surroundings,
        definitionFolders: options.definitionFolders ?? [],
      }),
  };
}

function bothKinds({ policy, lifecycle }: ParsedHooks): readonly AnyHook[] {
  return [...policy, ...lifecycle];
}

/** The user's hooks that `disableAllHooks` turns off; managed ones stay. */
function countOwn(hooks: readonly AnyHook[]): number {
  return hooks.filter(({ source }) => !source.fromRepository && source.scope !== 'managed').length;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
