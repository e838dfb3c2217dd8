// `codey hooks trust`: a person reads what the repository supplies and says yes to it, or takes that back.
import { createInterface } from 'node:readline/promises';
import { isOpen, renderReview, type Review } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { trustStore } from '../start/trust.ts';
import type { World } from '../start/world.ts';
import { reveal } from '../terminal/sanitise.ts';
import { findRoot } from '../start/find-root.ts';
import { openHere } from './open-here.ts';
import { writeJson } from './write-json.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';

type Trust = Extract<NamedCommandLine, { command: 'hooks trust' }>;

/** Exit code 1 where something still waits for an answer. Refuses inside a session whatever it was asked to do. */
export async function hooksTrust({ flags }: Trust, world: World): Promise<number> {
  refuseToAgents('codey hooks trust');
  if (flags.revoke) return revoke(flags, world);

  const { trust } = await openHere(flags.cwd === undefined ? {} : { cwd: flags.cwd }, world, 'hooks trust');
  const review = trust.review();
  if (!flags.json) world.stdout.write(`${printable(renderReview(review))}\n`);
  const agreed = isOpen(review) && !flags.list && (flags.yes || (await asksYes(flags, world)));
  if (agreed) {
    const stored = await trust.agree(review);
    if (!stored.ok) throw new StartError(stored.problem, exitCodes.failed);
  }
  const after = trust.review();
  if (flags.json) writeJson(describe(after), world);
  else world.stdout.write(`\n${closing(review, agreed, flags)}\n`);
  return isOpen(after) && !flags.list ? exitCodes.failed : exitCodes.done;
}

/** Works beside settings that do not load: taking a yes back must not need them. */
async function revoke(flags: Trust['flags'], world: World): Promise<number> {
  const root = await findRoot(flags.cwd, world);
  const store = trustStore(world);
  const { agreements, problem } = await store.load(root);
  const revoked = await store.revoke(root);
  if (!revoked.ok) throw new StartError(problem ?? revoked.problem, exitCodes.failed);
  const count = agreements.length;
  if (flags.json) writeJson({ root, revoked: count }, world);
  else {
    world.stdout.write(
      count === 0
        ? `Nothing had been agreed to in ${printable(root)}.\n`
        : `${count} ${count === 1 ? 'agreement' : 'agreements'} taken back in ${printable(root)}. What the repository supplies is held back from the next start on.\n`,
    );
  }
  return exitCodes.done;
}

/** Asks a person; where there is none the answer is no. */
async function asksYes({ json }: Trust['flags'], { stdin, stdout }: World): Promise<boolean> {
  if (json || !stdin.isTTY || stdout.isTTY !== true) return false;
  const asking = createInterface({ input: stdin, output: stdout });
  const ended = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''));
  });
  try {
    const answer = await Promise.race([asking.question('\nAgree to all of it? [y/N] '), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}

function closing(review: Review, agreed: boolean, { list }: Pick<Trust['flags'], 'list'>): string {
  if (agreed) return 'Agreed. Hooks run from the next start on; a change to any of this is held back again.';
  if (isOpen(review) && list)
    return 'What is not trusted stays held back until you agree to it: codey hooks trust';
  if (isOpen(review))
    return 'Nothing was agreed to: what is not trusted stays held back. To agree: codey hooks trust --yes';
  return 'Nothing waits for an answer.';
}

/** The JSON of a review, without what only the store needs. */
function describe({ root, hooks, settings, problem }: Review): unknown {
  const state = ({ standing }: Review['hooks'][number] | Review['settings'][number]) => ({
    state: standing.kind,
    ...(standing.kind === 'modified' && { changes: standing.changes }),
  });
  return {
    root,
    ...(problem !== undefined && { problem }),
    hooks: hooks.map((hook) => ({
      id: hook.id,
      event: hook.event,
      place: hook.place,
      ...state(hook),
      type: hook.type,
      runs: hook.runs,
      details: hook.details,
      covered: hook.covered,
      unseen: hook.unseen,
    })),
    settings: settings.map((file) => ({ place: file.place, ...state(file), settings: file.settings })),
  };
}

/**
 * Everything is spelled out, since a person is about to agree to it. A next-line character, which would become a line
 * break, is one of the things spelled: behind it a repository's text could pass for a line of ours.
 */
function printable(text: string): string {
  return reveal(text.replaceAll('\u0085', '⟨U+0085⟩'));
}
