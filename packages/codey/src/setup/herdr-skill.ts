// The one question of the wizard that acts: herdr's skill, from herdr's own repository into the personal skills.
import { join } from 'node:path';
import { parseSkill, personalSkills, skillFile } from '@codey/agent';
import { failureReason } from '@codey/hooks';
import type { Ask } from './prompts/prompt.ts';
import { select } from './prompts/select.ts';
import { type FetchOptions, fetchText } from './fetch-text.ts';
import { putFile } from './put-file.ts';

/** Where herdr publishes it; `CODEY_HERDR_SKILL_URL` names a mirror. */
const published = 'https://raw.githubusercontent.com/herdrdev/herdr/master/skills/herdr/SKILL.md';
const name = 'herdr';

/** The row names the place before anything is answered. */
export function askForSkill(ask: Ask): Promise<boolean> {
  return ask(
    select({
      question: "Install herdr's skill, so the agent can drive herdr?",
      rows: [
        { value: true, label: 'yes, install it', hint: '~/.agents/skills/herdr' },
        { value: false, label: 'no' },
      ],
      marked: true,
    }),
  );
}

export type Installed =
  | { readonly ok: true; readonly file: string }
  /** Nothing was written; the sentence says why. */
  | { readonly ok: false; readonly message: string };

export interface InstallOptions extends FetchOptions {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What comes back is read by the loader that will read it at the next start, before a byte of it is written. */
export async function installSkill({ home, environment, ...how }: InstallOptions): Promise<Installed> {
  const url = environment.CODEY_HERDR_SKILL_URL || published;
  const directory = join(personalSkills(home), name);
  const file = join(directory, skillFile);
  const fetched = await fetchText(url, how);
  if (!fetched.ok) return refuse(fetched.message);
  const parsed = await parseSkill({ text: fetched.text, file, directory, fromRepository: false });
  if (!parsed.ok) return refuse(`what ${fetched.url} holds is no skill: ${parsed.message}`);
  try {
    await putFile(file, fetched.text, 0o644);
    return { ok: true, file };
  } catch (error) {
    return refuse(`${file} cannot be written: ${failureReason(error)}`);
  }
}

function refuse(reason: string): Installed {
  return { ok: false, message: `herdr's skill was not installed: ${reason}` };
}
