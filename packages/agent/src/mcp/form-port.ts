// The port to whoever can fill in a server's form: a screen with a person before it. Print mode has none.
import type { ApprovalRequest } from '../gate/human.ts';
import type { Form } from './form-schema.ts';
import type { FormValues } from './check-form.ts';

/** On whose call a server asks. */
export interface FormAsker {
  readonly agent: ApprovalRequest['agent'];
  /**
   * Names of the agents whose calls are under way, where the server does not say on which of them it asks; `agent` is then
   * the likeliest. Absent where it is certain.
   */
  readonly oneOf?: readonly string[];
}

export interface FormRequest extends FormAsker {
  /** Which server asks; shown with the form, so that nobody takes it for us. */
  readonly server: string;
  /** What the server says. Its own words, not checked. */
  readonly message: string;
  readonly form: Form;
}

export interface AddressRequest extends FormAsker {
  readonly server: string;
  readonly message: string;
  /** Whole, to be shown before it is opened. Only http and https. */
  readonly url: string;
}

export type FormAnswer =
  /** The port lets nothing through that `checkForm` finds fault with. */
  | { readonly action: 'accept'; readonly values: FormValues }
  | { readonly action: 'decline' }
  /** Closed without an answer. */
  | { readonly action: 'cancel' };

export interface FormPort {
  /** Rejects when the signal aborts or the user puts it off. */
  fill(request: FormRequest, signal: AbortSignal): Promise<FormAnswer>;
  /**
   * Shows the whole address and opens it only after a yes: `accept`. Nothing is fetched before. Rejects like `fill`.
   */
  visit(request: AddressRequest, signal: AbortSignal): Promise<'accept' | 'decline' | 'cancel'>;
}
