// What a hook's failure means and what to do about it, in a sentence: the words of the journal as people would say them.
import { type FailureCause, type OutcomeKind, policyCatalogue } from '@codey/hooks';

/** Completes “it failed: …”. */
export function explainFailure(cause: FailureCause): string {
  switch (cause) {
    case 'missing':
      return 'a program or script that it names is not there; codey hooks validate says which';
    case 'not-executable':
      return 'its file may not be executed; chmod +x helps';
    case 'spawn':
      return 'the system did not start it';
    case 'cwd':
      return 'the directory it runs in is not there';
    case 'exit-code':
      return 'it ended with another code than 0 and 2; exit 2 is the one that blocks';
    case 'signal':
      return 'a signal ended it';
    case 'output':
      return 'what it printed is no answer to this event; codey hooks test says what is wrong with it';
    case 'http-status':
      return 'the server answered with an error';
    case 'http-network':
      return 'the server cannot be reached';
    case 'http-address':
      return 'it may not be sent to that address';
    case 'model':
      return 'the model that was to judge gave no judgement';
    case 'worker':
      return 'its worker ended or answered with an error';
    case 'threw':
      return 'its function threw an error';
    case 'env-file':
      return 'the variables it wrote cannot be read';
    case 'unsupported':
      return 'nothing here can run a hook of its type';
  }
}

/** What people expect of a guard that breaks and does not come; undefined where nothing of the kind happened. */
export function whatFailuresLeftOpen(
  event: string,
  verdict: string,
  outcomes: readonly OutcomeKind[],
): string | undefined {
  const broke = outcomes.some((outcome) => outcome === 'failed' || outcome === 'timed-out');
  if (!broke || verdict !== 'none' || !canBlock(event)) return undefined;
  return 'A hook that fails blocks nothing: exit 2 blocks, and "onFailure": "block" makes its failures block.';
}

function canBlock(event: string): boolean {
  const known: Readonly<Record<string, { readonly block: string | null }>> = policyCatalogue;
  return Object.hasOwn(known, event) && known[event]?.block !== null;
}
