// Answers what an MCP server asks of the user: hooks first, then a person, and nobody is taken for a yes.
import {
  type Decision,
  type DispatchContext,
  type Dispatcher,
  type Journal,
  sourceLabel,
} from '@codey/hooks';
import { checkForm, type FormValues } from './check-form.ts';
import { type Form, parseForm } from './form-schema.ts';
import type { FormAsker, FormPort } from './form-port.ts';

export interface ElicitPorts {
  readonly hooks: Dispatcher;
  readonly journal: Journal;
  readonly asker: FormAsker;
  /** The agent's; without a signal only the hooks' own deadlines and the end of the session end them. */
  readonly dispatchContext: (signal?: AbortSignal) => DispatchContext;
  /** Absent where nobody can answer. */
  readonly forms?: FormPort;
  /** Opens the prompt: waits its turn and tells the world that somebody is waited for. */
  readonly wait: <Answer>(
    message: string,
    signal: AbortSignal,
    open: (signal: AbortSignal) => Promise<Answer>,
  ) => Promise<Answer>;
  readonly notice: (text: string) => void;
}

/** As the protocol wants it. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: FormValues;
}

interface Answered extends ElicitResult {
  readonly source: 'hook' | 'user';
}

/** What a server asks: values for a form, or that the user goes to an address. */
type Asked =
  | { readonly mode: 'form'; readonly message: string; readonly schema: FormValues; readonly form: Form }
  | { readonly mode: 'url'; readonly message: string; readonly url: string };

/**
 * Every answer, whoever gave it, goes past the ElicitationResult hooks. Rejects for a request that the protocol does not
 * know, with a message for the server; an interrupted one is `cancel`.
 */
export async function elicit(
  server: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  ports: ElicitPorts,
): Promise<ElicitResult> {
  const asked = readRequest(params);
  const { source, ...answer } = await answerRequest(server, asked, signal, ports);
  const { verdict } = await ports.hooks.dispatch(
    'ElicitationResult',
    { server_name: server, action: answer.action, source, field_names: Object.keys(answer.content ?? {}) },
    // Also of what was interrupted: that hooks are told of it is no part of what was interrupted.
    ports.dispatchContext(),
  );
  const refused = verdict.kind === 'deny' || verdict.kind === 'ask' || verdict.kind === 'cancelled';
  return refused ? { action: 'decline' } : answer;
}

function readRequest(params: Readonly<Record<string, unknown>>): Asked {
  const { mode = 'form', requestedSchema, url } = params;
  const message = typeof params.message === 'string' ? params.message : '';
  switch (mode) {
    case 'form': {
      const parsed = parseForm(requestedSchema);
      if (parsed.kind === 'problem') throw new Error(`Invalid elicitation request: ${parsed.message}`);
      return { mode, message, form: parsed.form, schema: requestedSchema as FormValues };
    }
    case 'url':
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new Error('Invalid elicitation request: url must be an https or http address');
      return { mode, message, url };
    default:
      throw new Error(`Invalid elicitation request: the mode ${String(mode)} is not known`);
  }
}

async function answerRequest(
  server: string,
  asked: Asked,
  signal: AbortSignal,
  ports: ElicitPorts,
): Promise<Answered> {
  const { mode, message } = asked;
  const decision = await ports.hooks.dispatch(
    'Elicitation',
    { server_name: server, message, mode, requestedSchema: mode === 'form' ? asked.schema : {} },
    ports.dispatchContext(signal),
  );
  if (decision.verdict.kind === 'cancelled' || signal.aborted) return { action: 'cancel', source: 'user' };
  if (decision.verdict.kind === 'deny') return { action: 'decline', source: 'hook' };
  // A hook that wants a person to decide keeps every other hook from deciding.
  if (decision.elicitation !== undefined && decision.verdict.kind !== 'ask') {
    const answer = acceptable(decision.elicitation, decision.reports, server, asked, ports);
    if (answer !== undefined) return { ...answer, source: 'hook' };
  }
  return { ...(await askUser(server, asked, signal, ports)), source: 'user' };
}

/** An accepting answer without values is one: which there are, is the server's to say. */
function acceptable(
  { answer, hook }: NonNullable<Decision['elicitation']>,
  reports: Decision['reports'],
  server: string,
  asked: Asked,
  ports: ElicitPorts,
): ElicitResult | undefined {
  if (answer.action !== 'accept' || answer.content === undefined) return { action: answer.action };
  const problems =
    asked.mode === 'form'
      ? checkForm(asked.form, answer.content)
      : [{ field: 'content', message: 'cannot be given to an address' }];
  if (problems.length === 0) return { action: 'accept', content: answer.content };
  const said = problems.map(({ field, message }) => `${field} ${message}`).join('; ');
  const author = reports.find((report) => report.answer.elicitation === answer)?.hook;
  ports.journal.append({
    kind: 'hook_error',
    event: 'Elicitation',
    hook: author?.id ?? hook,
    source: author === undefined ? hook : sourceLabel(author.source),
    cause: 'output',
  });
  ports.notice(`the answer of ${hook} to ${server} was not sent: ${said}`);
  return undefined;
}

async function askUser(
  server: string,
  asked: Asked,
  signal: AbortSignal,
  { asker, forms, wait }: ElicitPorts,
): Promise<ElicitResult> {
  if (forms === undefined) return { action: 'decline' };
  const { message } = asked;
  const { oneOf } = asker;
  const line = `${server} asks${oneOf === undefined ? '' : ` for one of ${oneOf.join(', ')}`}: ${message}`;
  try {
    if (asked.mode === 'url') {
      const { url } = asked;
      return {
        action: await wait(line, signal, (stop) => forms.visit({ server, ...asker, message, url }, stop)),
      };
    }
    const { form } = asked;
    const { fill } = forms;
    const answer = await wait(line, signal, (stop) => fill({ server, ...asker, message, form }, stop));
    if (answer.action !== 'accept') return { action: answer.action };
    // The screen has checked it already; what leaves the machine is checked where it leaves.
    return checkForm(form, answer.values).length === 0
      ? { action: 'accept', content: answer.values }
      : { action: 'cancel' };
  } catch {
    return { action: 'cancel' };
  }
}
