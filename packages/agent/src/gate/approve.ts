// From a call to a yes or no: PreToolUse, rules and mode, PermissionRequest, remembered approvals, a human.
import { isDeepStrictEqual } from 'node:util';
import { type Attributed, type Decision, sayReasons } from '@codey/hooks';
import type { AgentScope, GateCall, SessionScope } from '../loop/scope.ts';
import { callMessage } from './call-message.ts';
import type { ApprovalAnswer } from './human.ts';
import { decideCall, type PermissionDecision } from './permissions/decide-call.ts';
import { prepareCall } from './prepare.ts';
import { waitForHuman } from './prompt.ts';

export interface Approved {
  readonly kind: 'approved';
  /** With the input that was judged; the only one the tool may run with. */
  readonly call: GateCall;
  readonly contexts: readonly Attributed[];
  /** Hooks that changed the input; the model is told. */
  readonly rewrittenBy: readonly string[];
  /** Somebody said yes to this very call: a human, a rule, a hook. Not so where only the mode lets it run. */
  readonly agreed: boolean;
}

export type Approval =
  | Approved
  | {
      readonly kind: 'denied';
      readonly reason: string;
      readonly contexts: readonly Attributed[];
      readonly halt?: Attributed;
    }
  | { readonly kind: 'cancelled' };

/** How often a PermissionRequest hook or the user's edit may send a call back to the start. */
const newCallLimit = 1;

export async function approveCall(
  call: GateCall,
  agent: AgentScope,
  session: SessionScope,
  newCalls = 0,
): Promise<Approval> {
  const asked = await call.hooks.dispatch(
    'PreToolUse',
    { tool_name: call.tool.name, tool_input: call.input, tool_call_id: call.id, input_revision: 0 },
    agent.dispatchContext(call.id),
  );
  if (asked.verdict.kind === 'cancelled') return { kind: 'cancelled' };
  const { contexts } = asked;
  if (asked.halt) return { kind: 'denied', reason: asked.halt.text, contexts, halt: asked.halt };
  if (asked.verdict.kind === 'deny') {
    noteGate(call, agent, session, 'denied', 'PreToolUse');
    return { kind: 'denied', reason: sayReasons(asked.verdict.reasons), contexts };
  }
  const final = await finalCall(call, asked, agent);
  if (final.kind === 'invalid') {
    noteGate(call, agent, session, 'denied', 'PreToolUse');
    return { kind: 'denied', reason: final.message, contexts };
  }
  const approved: Approved = {
    kind: 'approved',
    call: final.call,
    contexts,
    rewrittenBy: asked.rewrittenBy,
    agreed: true,
  };
  const decision = decideCall(final.call, asked.verdict, agent, session.permissions());
  switch (decision.kind) {
    case 'allow':
      noteGate(call, agent, session, 'allowed', decision.by);
      return { ...approved, agreed: decision.agreed };
    case 'deny':
      return deny(final.call, decision, contexts, agent, session);
    case 'ask':
      return requestPermission(final.call, decision, approved, newCalls, agent, session);
  }
}

/** A rewritten input is a new input: the tool's schema decides again. */
async function finalCall(
  call: GateCall,
  asked: Decision,
  agent: AgentScope,
): Promise<
  { readonly kind: 'call'; readonly call: GateCall } | { readonly kind: 'invalid'; readonly message: string }
> {
  if (asked.input === undefined) return { kind: 'call', call };
  const prepared = await prepareCall(
    { id: call.id, tool: call.tool.name, input: asked.input },
    asked.input,
    call.hooks,
    agent,
  );
  if (prepared.kind === 'call') return prepared;
  const names = asked.rewrittenBy.join('; ');
  return {
    kind: 'invalid',
    message: `A hook (${names}) changed the input to one that cannot run. ${prepared.message}`,
  };
}

async function requestPermission(
  call: GateCall,
  decision: Extract<PermissionDecision, { kind: 'ask' }>,
  approved: Approved,
  newCalls: number,
  agent: AgentScope,
  session: SessionScope,
): Promise<Approval> {
  const requested = await call.hooks.dispatch(
    'PermissionRequest',
    { tool_name: call.tool.name, tool_input: call.input, tool_call_id: call.id, reason: decision.reason },
    agent.dispatchContext(call.id),
  );
  if (requested.verdict.kind === 'cancelled') return { kind: 'cancelled' };
  const contexts = [...approved.contexts, ...requested.contexts];
  const withContexts = { ...approved, contexts };
  if (requested.halt) return { kind: 'denied', reason: requested.halt.text, contexts, halt: requested.halt };
  if (requested.verdict.kind === 'deny') {
    const origin = { by: 'PermissionRequest hook', reason: sayReasons(requested.verdict.reasons) };
    return deny(call, origin, contexts, agent, session);
  }
  if (requested.input !== undefined && !isDeepStrictEqual(requested.input, call.input)) {
    const origin = { by: 'PermissionRequest hook', contexts };
    return asNewCall(call, requested.input, origin, newCalls, agent, session);
  }
  const humanOnly = decision.humanOnly || requested.verdict.kind === 'ask';
  if (requested.verdict.kind === 'allow' && !humanOnly) {
    noteGate(call, agent, session, 'allowed', 'PermissionRequest hook');
    return withContexts;
  }
  return askHuman(call, decision, withContexts, newCalls, agent, session);
}

async function askHuman(
  call: GateCall,
  decision: Extract<PermissionDecision, { kind: 'ask' }>,
  approved: Approved,
  newCalls: number,
  agent: AgentScope,
  session: SessionScope,
): Promise<Approval> {
  const { contexts } = approved;
  const permissions = session.permissions();
  const remembered = decision.rememberable ? permissions.remembered.find(call.view) : undefined;
  if (remembered !== undefined) {
    noteGate(call, agent, session, 'allowed', 'remembered approval');
    return approved;
  }
  if (permissions.mode === 'dontAsk') {
    return deny(
      call,
      { by: 'mode dontAsk', reason: `${decision.reason}; in mode dontAsk nobody is asked` },
      contexts,
      agent,
      session,
    );
  }
  const { human } = session;
  if (human === undefined) {
    return deny(
      call,
      { by: 'nobody to ask', reason: `${decision.reason}; nobody is here to answer` },
      contexts,
      agent,
      session,
    );
  }
  const message = callMessage(call);
  let answer: ApprovalAnswer;
  try {
    answer = await waitForHuman(
      agent,
      session,
      { reason: 'approval', message, tool: call.tool.name, notification: 'permission_prompt' },
      (signal) =>
        human.approve(
          {
            agent: { name: agent.name, type: agent.type },
            call: { id: call.id, tool: call.tool.name, input: call.input },
            message,
            reason: decision.reason,
            ...(decision.rememberable && { pattern: decision.pattern }),
          },
          signal,
        ),
      (given) => (given.kind === 'deny' ? 'denied' : 'approved'),
    );
  } catch {
    return { kind: 'cancelled' };
  }
  return followAnswer(answer, call, approved, newCalls, agent, session);
}

async function followAnswer(
  answer: ApprovalAnswer,
  call: GateCall,
  approved: Approved,
  newCalls: number,
  agent: AgentScope,
  session: SessionScope,
): Promise<Approval> {
  switch (answer.kind) {
    case 'once':
      noteGate(call, agent, session, 'allowed', 'user');
      return approved;
    case 'remember':
      await session.permissions().remembered.add(answer.pattern, answer.keep);
      noteGate(call, agent, session, 'allowed', 'user');
      return approved;
    case 'edit':
      return asNewCall(
        call,
        answer.input,
        { by: 'user', contexts: approved.contexts },
        newCalls,
        agent,
        session,
      );
    case 'deny': {
      const said = answer.reason === undefined || answer.reason === '' ? '' : `: ${answer.reason}`;
      return deny(
        call,
        { by: 'user', reason: `The user denied this call${said}` },
        approved.contexts,
        agent,
        session,
      );
    }
  }
}

/**
 * Another input is another call: it starts at PreToolUse, so that nothing runs unjudged. Whoever changes it again has not
 * agreed to what stands there now.
 */
async function asNewCall(
  call: GateCall,
  input: Readonly<Record<string, unknown>>,
  { by, contexts }: { readonly by: string; readonly contexts: readonly Attributed[] },
  newCalls: number,
  agent: AgentScope,
  session: SessionScope,
): Promise<Approval> {
  if (newCalls >= newCallLimit) {
    const reason = 'The input was changed a second time, so this call was not run.';
    return deny(call, { by, reason }, contexts, agent, session);
  }
  const prepared = await prepareCall({ id: call.id, tool: call.tool.name, input }, input, call.hooks, agent);
  if (prepared.kind === 'invalid') {
    const reason = `The input was changed to one that cannot run. ${prepared.message}`;
    return deny(call, { by, reason }, contexts, agent, session);
  }
  const again = await approveCall(prepared.call, agent, session, newCalls + 1);
  return again.kind === 'approved'
    ? { ...again, rewrittenBy: [...again.rewrittenBy, 'permission answer'] }
    : again;
}

async function deny(
  call: GateCall,
  origin: { readonly by: string; readonly reason: string },
  contexts: readonly Attributed[],
  agent: AgentScope,
  session: SessionScope,
): Promise<Approval> {
  noteGate(call, agent, session, 'denied', origin.by);
  const told = await call.hooks.dispatch(
    'PermissionDenied',
    {
      tool_name: call.tool.name,
      tool_input: call.input,
      tool_call_id: call.id,
      reason: `${origin.by}: ${origin.reason}`,
    },
    agent.dispatchContext(call.id),
  );
  return {
    kind: 'denied',
    reason: origin.reason,
    contexts: [...contexts, ...told.contexts],
    ...(told.halt && { halt: told.halt }),
  };
}

function noteGate(
  call: GateCall,
  agent: AgentScope,
  session: SessionScope,
  decision: 'allowed' | 'denied',
  by: string,
): void {
  session.journal.append({
    kind: 'gate',
    agent: agent.name,
    tool: call.tool.name,
    call: call.id,
    decision,
    by,
  });
}
