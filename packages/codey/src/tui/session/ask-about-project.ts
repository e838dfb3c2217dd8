// Opens the project as a session would, and asks the user where something of it needs a yes: once in a program's life.
import { checkStart, isOpen, refuseInsideSession, renderReview, type Review } from '@codey/hooks';
import { StartError } from '../../start/exit.ts';
import { findRoot } from '../../start/find-root.ts';
import { loadProjectSettings, openProject, type Project, type ProjectFlags } from '../../start/project.ts';
import type { World } from '../../start/world.ts';
import type { TabPorts } from '../ports.ts';
import type { DecisionRequest } from '../prompts/decision-state.ts';
import { familyOfThisProcess } from '../../start/family.ts';

export interface ProjectQuestions {
  /** As `openProject`; throws StartError where the user does not want to start. */
  open(flags: ProjectFlags, world: World, tab: Pick<TabPorts, 'decide'>): Promise<Project>;
}

export function createProjectQuestions(): ProjectQuestions {
  /** Reviews that were answered with no: they are not put before the user with every tab. */
  const declined = new Set<string>();
  let withoutProjectHooks = false;

  return {
    async open(given, world, tab) {
      const flags = withoutProjectHooks ? { ...given, noProjectHooks: true } : given;
      const offer = await startOffer(flags, world);
      if (offer === undefined) return reviewed(await openProject(flags, world), flags, world, tab);
      const chosen = await tab.decide(
        {
          title: 'The settings of this repository cannot be used as they are',
          text: offer,
          choices: [
            { id: 'leave', key: 'q', label: 'Leave, and correct them' },
            { id: 'without', key: 's', label: "Start without this repository's hooks" },
          ],
        },
        never,
      );
      if (chosen !== 'without') throw new StartError(offer);
      withoutProjectHooks = true;
      return reviewed(await openProject({ ...flags, noProjectHooks: true }, world), flags, world, tab);
    },
  };

  async function reviewed(
    project: Project,
    flags: ProjectFlags,
    world: World,
    tab: Pick<TabPorts, 'decide'>,
  ): Promise<Project> {
    const review = project.trust.review();
    const text = renderReview(review);
    if (flags.trustProjectHooks || flags.noHooks || flags.noProjectHooks || !isOpen(review)) return project;
    if (world.home === undefined || declined.has(text) || insideSession() !== undefined) return project;
    const { title, choices } = reviewRequest(review);
    const leaving = { id: 'leave', key: 'q', label: 'Leave' };
    const chosen = await tab.decide({ title, text, choices: [...choices, leaving] }, never);
    if (chosen === 'leave')
      throw new StartError('not started: what the repository supplies was not agreed to');
    if (chosen !== 'agree') {
      declined.add(text);
      return project;
    }
    const agreed = await project.trust.agree(review);
    if (!agreed.ok) throw new StartError(agreed.problem);
    // Once more, with what the agreement puts in force.
    return openProject(flags, world);
  }
}

/** What a person reads before agreeing; the first choice changes nothing. */
export function reviewRequest(review: Review): DecisionRequest {
  return {
    title: 'This repository wants to run hooks and change settings',
    text: renderReview(review),
    choices: [
      { id: 'without', key: 'n', label: 'Go on without them; nothing of it runs' },
      { id: 'agree', key: 'y', label: 'Agree to all of it' },
    ],
  };
}

/** Why nobody is asked here: an agent that has a terminal must not agree for its user. */
export function insideSession(): string | undefined {
  return refuseInsideSession(familyOfThisProcess(), 'agreeing to hooks');
}

/** Nothing takes these questions back: there is no run yet that could be stopped. */
const never = new AbortController().signal;

/** All problems, where the program could start without the repository's hooks and only then. */
async function startOffer(flags: ProjectFlags, world: World): Promise<string | undefined> {
  const root = await findRoot(flags.cwd, world);
  const refusal = checkStart(await loadProjectSettings(root, flags.settings, world), flags);
  return refusal?.withoutProjectHooks === true ? refusal.text : undefined;
}
