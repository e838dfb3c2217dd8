// The bytes hooks read: written once for a revision, the same for every hook of a dispatch.
import type { Dialect } from '../dialects/dialect.ts';
import { policyCatalogue, type PolicyPayload } from './catalogue.ts';
import type { DispatchFrame, DispatchRequest } from './dispatch.ts';
import { buildPayload } from './payload.ts';
import type { Revision } from './rounds.ts';

/** One JSON line with its newline; undefined where the dialect has no such event. */
export type PayloadLines = (
  dialect: Dialect,
  revision: Revision,
  transcriptPath: string,
) => string | undefined;

export function createPayloadLines(request: DispatchRequest, frame: DispatchFrame): PayloadLines {
  const timestamp = frame.ports.date().toISOString();
  const written = new Map<Revision, Map<Dialect, string | undefined>>();
  return (dialect, revision, transcriptPath) => {
    const ofRevision = written.get(revision) ?? new Map<Dialect, string | undefined>();
    written.set(revision, ofRevision);
    if (!ofRevision.has(dialect))
      ofRevision.set(dialect, write(dialect, revision, request, frame, { timestamp, transcriptPath }));
    return ofRevision.get(dialect);
  };
}

function write(
  dialect: Dialect,
  revision: Revision,
  request: DispatchRequest,
  frame: DispatchFrame,
  { timestamp, transcriptPath }: { readonly timestamp: string; readonly transcriptPath: string },
): string | undefined {
  const { context, event } = request;
  const own = policyCatalogue[event].rewrites
    ? { ...request.payload, tool_input: revision.input, input_revision: revision.number }
    : request.payload;
  const payload = buildPayload(event, own as PolicyPayload<typeof event>, {
    session_id: frame.session,
    cwd: context.cwd,
    project_dir: context.workspace,
    transcript_path: transcriptPath,
    permission_mode: context.permissionMode,
    model: context.model,
    turn: context.turn,
    agent_id: context.agent.id,
    agent_type: context.agent.type,
    usage: context.usage,
    timestamp,
  });
  const encoded = dialect.encode(event, payload);
  return encoded === undefined ? undefined : `${JSON.stringify(encoded)}\n`;
}
