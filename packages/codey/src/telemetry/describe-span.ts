// What a collector is told about a span: names, fixed words and numbers, nothing that a prompt, call or output said. Pure.
import type { Attributes } from '@opentelemetry/api';
import type { JournaledHook } from '@codey/hooks';
import type { ReadSpan } from '../trace/read-spans.ts';

export interface SpanDescription {
  /** Of few values, so that a collector can group by it. */
  readonly name: string;
  readonly attributes: Attributes;
  /** Something broke; that somebody said no is no failure. */
  readonly failed: boolean;
}

/** Undefined for what did not run. Facts are chosen one by one: some hold words of people and of models. */
export function describeSpan(span: ReadSpan): SpanDescription | undefined {
  const { kind, name, agent, facts } = span;
  const about = (said: string, attributes: Attributes = {}, failed = false): SpanDescription => ({
    name: said,
    attributes: { 'gen_ai.agent.name': agent, ...attributes },
    failed,
  });
  switch (kind) {
    case 'session':
      return about('session', {
        'codey.session.start_reason': facts.reason,
        'codey.session.end_reason': facts.ended,
      });
    case 'run':
      return about(
        `invoke_agent ${agent}`,
        { 'gen_ai.operation.name': 'invoke_agent', 'codey.run.end_reason': facts.ended },
        facts.ended === 'error',
      );
    case 'agent':
      return about(`invoke_agent ${name}`, { 'gen_ai.operation.name': 'invoke_agent' });
    case 'turn':
      return about('turn', { 'codey.turn': Number(name.replace('turn ', '')) });
    case 'call':
      return about(`tool_call ${name}`, {
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.id': facts.call,
        ...(facts.allowed !== undefined && gateAttributes('allowed', facts.allowed)),
        ...(facts.denied !== undefined && gateAttributes('denied', facts.denied)),
      });
    case 'tool':
      return about(
        `execute_tool ${name}`,
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'error.type': facts.error },
        facts.error !== undefined,
      );
    case 'wait':
      return about(`wait ${name}`, { 'codey.wait.answer': facts.answer });
    case 'pause':
      return about('paused');
    case 'dispatch':
      return span.state === 'quiet'
        ? undefined
        : about(name, { 'codey.hook.event': name, 'codey.verdict': facts.verdict ?? 'none' });
    case 'hook':
      return span.hook === undefined || span.state === 'quiet'
        ? undefined
        : about(
            `hook ${span.parent?.name}`,
            hookAttributes(span.parent?.name ?? '', span.hook),
            isBroken(span.hook),
          );
  }
}

export function gateAttributes(decision: 'allowed' | 'denied', by: string): Attributes {
  return { 'codey.gate.decision': decision, 'codey.gate.by': by };
}

/** Without the file it stands in: paths name people and projects. The id is what `codey hooks list` shows. */
export function hookAttributes(event: string, hook: JournaledHook): Attributes {
  const { id, scope, outcome, why, verdict, exit, ms } = hook;
  return {
    'codey.hook.event': event,
    'codey.hook.id': id,
    'codey.hook.scope': scope,
    'codey.hook.outcome': outcome,
    'codey.hook.why': why,
    'codey.hook.verdict': verdict,
    'codey.hook.duration_ms': ms,
    'process.exit.code': exit,
    'error.type': isBroken(hook) ? (why ?? outcome) : undefined,
  };
}

export function isBroken({ outcome }: JournaledHook): boolean {
  return outcome === 'failed' || outcome === 'timed-out';
}
