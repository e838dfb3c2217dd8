// The payload of an event as hooks of this format read it.
import type { PolicyEventName } from '../../policy/catalogue.ts';
import type { WirePayload } from '../../policy/payload.ts';
import { settingsSource, theirWord } from './events.ts';
import { toolNameFor } from './names.ts';
import type { Fields } from '../reading.ts';
import { encodeInput } from './tool-input.ts';
import { toolResponse } from './tool-response.ts';
import { agentTranscriptPath } from './transcript-place.ts';

/** Undefined for the one moment that format has no event for: a call that failed, after PostToolUseFailure. */
export function encodeForClaude<Event extends PolicyEventName>(
  event: Event,
  payload: WirePayload<Event> & Common,
): Fields | undefined {
  const own = encoders[event](payload);
  return own === undefined ? undefined : { ...commonFields(event, payload), ...own };
}

type Encode<Event extends PolicyEventName> = (payload: WirePayload<Event>) => Fields | undefined;

interface Common {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode: string;
  readonly agent_id: string;
  readonly agent_type: string;
}

/** In the order in which hooks that read with `sed` have always seen them. The main agent goes without a name there. */
function commonFields(event: PolicyEventName, payload: Common): Fields {
  const { session_id, transcript_path, cwd, permission_mode, agent_id, agent_type } = payload;
  return {
    session_id,
    transcript_path,
    cwd,
    permission_mode,
    hook_event_name: event,
    ...(agent_id !== 'main' && { agent_id, agent_type }),
  };
}

const encoders: { readonly [Event in PolicyEventName]: Encode<Event> } = {
  PreToolUse: (payload) => ({ ...call(payload), ...callId(payload) }),
  PostToolUse: (payload) => {
    if (payload.failed) return undefined;
    const about = call(payload);
    const tool_response = toolResponse(payload.tool_name, about.tool_input, payload.result);
    return { ...about, tool_response, ...callId(payload) };
  },
  PostToolUseFailure: (payload) => ({
    ...call(payload),
    ...callId(payload),
    error: payload.error,
    is_interrupt: false,
  }),
  PermissionRequest: call,
  PermissionDenied: (payload) => ({ ...call(payload), ...callId(payload), reason: payload.reason }),
  Notification: ({ notification_type, reason }) => ({
    message: notificationMessages[notification_type](reason),
    notification_type: theirWord('Notification', notification_type),
  }),
  SessionStart: ({ source, model }) => ({ source, model }),
  SessionEnd: ({ reason }) => ({ reason: theirWord('SessionEnd', reason) }),
  UserPromptSubmit: ({ prompt }) => ({ prompt }),
  Stop: ({ stop_hook_active, last_assistant_message }) => ({
    stop_hook_active,
    last_assistant_message,
    ...nothingLeftRunning,
  }),
  StopFailure: ({ last_assistant_message }) => ({ error: 'unknown', last_assistant_message }),
  Setup: () => ({ trigger: 'init' }),
  PreCompact: ({ trigger }) => ({ trigger, custom_instructions: '' }),
  PostCompact: ({ trigger }) => ({ trigger, compact_summary: '' }),
  InstructionsLoaded: ({ file_path, reason }) => ({ file_path, memory_type: 'Project', load_reason: reason }),
  CwdChanged: ({ old_cwd, cwd }) => ({ old_cwd, new_cwd: cwd }),
  FileChanged: ({ file_path }) => ({ file_path, event: 'change' }),
  ConfigChange: ({ source, file_path }) => ({ source: settingsSource(source, file_path), file_path }),
  SubagentStart: ({ agent_id, agent_type }) => ({ agent_id, agent_type }),
  SubagentStop: ({ agent_id, agent_type, transcript_path, stop_hook_active, output }) => ({
    stop_hook_active,
    agent_id,
    agent_type,
    agent_transcript_path: agentTranscriptPath(transcript_path, agent_id),
    last_assistant_message: output,
    ...nothingLeftRunning,
  }),
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: ({ agent_name, team_name }) => ({ teammate_name: agent_name, team_name }),
  WorktreeCreate: ({ worktree_path }) => ({ name: lastSegment(worktree_path) }),
  WorktreeRemove: ({ worktree_path }) => ({ worktree_path }),
  Elicitation: ({ server_name, message, mode, requestedSchema }) => ({
    mcp_server_name: server_name,
    message,
    mode,
    requested_schema: requestedSchema,
  }),
  ElicitationResult: ({ server_name, action }) => ({ mcp_server_name: server_name, action }),
};

interface AboutCall {
  readonly tool_name: string;
  readonly tool_input: Fields;
  readonly tool_call_id?: string;
  readonly cwd: string;
}

function call({ tool_name, tool_input, cwd }: AboutCall): { tool_name: string; tool_input: Fields } {
  return { tool_name: toolNameFor(tool_name), tool_input: encodeInput(tool_name, tool_input, cwd) };
}

function callId({ tool_call_id }: AboutCall): Fields {
  return tool_call_id === undefined ? {} : { tool_use_id: tool_call_id };
}

function task(payload: WirePayload<'TaskCreated' | 'TaskCompleted'>): Fields {
  const { task_id, subject, description, owner, team } = payload;
  return {
    task_id,
    task_subject: subject,
    task_description: description,
    ...(owner !== null && { teammate_name: owner }),
    team_name: team,
  };
}

const notificationMessages = {
  permission_prompt: (reason: string) => `Codey needs your permission: ${reason}`,
  question: (reason: string) => `Codey is waiting for your answer: ${reason}`,
  elicitation: (reason: string) => `Codey is waiting for your input: ${reason}`,
} as const;

/** Hooks of that format look here for work that goes on; what runs in the background here does not hold a run open. */
const nothingLeftRunning: Fields = { background_tasks: [], session_crons: [] };

function lastSegment(file: string): string {
  return file.split('/').at(-1) ?? file;
}
