// Where a rehearsal plays: a workspace and a home of its own, with what its session starts from.
import type { SessionPorts } from '../../start/session.ts';

export interface Stage {
  /** Real path of the temporary folder; everything of the rehearsal is in it. */
  readonly folder: string;
  /** Where the session stands. */
  readonly workspace: string;
  /** Where it keeps what sessions keep. */
  readonly home: string;
  /** What hooks and tools inherit. */
  readonly environment: Readonly<Record<string, string>>;
  /** Flags of the session, as they are typed. */
  readonly flags: readonly string[];
  /** Absent where the workspace is a project by itself. */
  readonly openProject?: SessionPorts['openProject'] & {};
}
