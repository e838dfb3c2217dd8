// What a session would do after this decision, in sentences.
import { type Decision, policyCatalogue, type PolicyEventName } from '@codey/hooks';
import { whatFailuresLeftOpen } from '../explain-failure.ts';

/** `tool` is the one the event is about. */
export function consequences(event: PolicyEventName, decision: Decision, tool?: string): readonly string[] {
  return [
    ...halting(event, decision),
    ...(decision.halt === undefined ? [judged(event, decision), ...leftOpen(event, decision)] : []),
    ...changed(decision, tool ?? 'tool'),
    ...(decision.contexts.length > 0 ? [`The model gets ${textsOf(decision)}.`] : []),
    ...watched(decision),
  ];
}

function halting(event: PolicyEventName, { halt }: Decision): readonly string[] {
  if (halt === undefined) return [];
  return policyCatalogue[event].inRun
    ? ['The run ends with an error, exit code 1, and the user sees the reason.']
    : ['"continue": false says nothing here: there is no run to end.'];
}

function judged(event: PolicyEventName, { verdict }: Decision): string {
  const { block, aboutToolCall } = policyCatalogue[event];
  switch (verdict.kind) {
    case 'deny':
      return block ?? 'There is nothing to block: the reason is shown and journaled.';
    case 'ask':
      return 'A person is asked, whatever rules and mode say; where nobody can answer, the call is denied.';
    case 'allow':
      return event === 'PermissionRequest'
        ? 'The call runs without a prompt.'
        : 'The call runs without a prompt, unless a deny or ask rule or a protected file says otherwise.';
    case 'continue':
      return 'The agent goes back to work with the reason as its next instruction.';
    case 'cancelled':
      return 'It was interrupted, so nothing goes through.';
    case 'none':
      if (event === 'PreToolUse') return 'No hook objects: permission rules and the mode decide next.';
      return aboutToolCall || block !== null ? 'No hook objects: it goes on.' : 'Nothing changes.';
  }
}

function leftOpen(event: PolicyEventName, { verdict, reports }: Decision): readonly string[] {
  const said = whatFailuresLeftOpen(
    event,
    verdict.kind,
    reports.map(({ outcome }) => outcome.kind),
  );
  return said === undefined ? [] : [said];
}

function changed(
  { input, updatedToolOutput, worktreePath, elicitation }: Decision,
  tool: string,
): readonly string[] {
  return [
    ...(input === undefined
      ? []
      : [`${tool} gets the changed input, after its schema and the rules agreed to it.`]),
    ...(updatedToolOutput === undefined ? [] : ['The model sees the replaced output.']),
    ...(worktreePath === undefined ? [] : [`The worktree is made in ${worktreePath.text}.`]),
    ...(elicitation === undefined ? [] : [`The server is answered ${elicitation.answer.action}.`]),
  ];
}

function textsOf({ contexts }: Decision): string {
  return contexts.length === 1 ? 'a text of one hook' : `texts of ${contexts.length} hooks`;
}

function watched({ watchPaths }: Decision): readonly string[] {
  const paths = watchPaths.flatMap((entry) => entry.paths);
  return paths.length === 0 ? [] : [`Watched from now on: ${paths.join(', ')}.`];
}
