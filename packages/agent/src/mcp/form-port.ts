// The port to whoever can fill in a server's form: a screen with a person before it. Print mode has none.
import type { ApprovalRequest } from '../gate/human.ts';
import type { Form } from './form-schema.ts';
import type { FormValues } from './check-form.ts';

export interface FormRequest {
  /** Which server asks; shown with the form, so that nobody takes it for us. */
  readonly server: string;
  /** On whose call it asks. */
  readonly agent: ApprovalRequest['agent'];
  /** What the server says. Its own words, not checked. */
  readonly message: string;
  readonly form: Form;
}

export interface AddressRequest {
  readonly server: string;
  readonly agent: ApprovalRequest['agent'];
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
  /** Rejects only when the signal aborts. */
  fill(request: FormRequest, signal: AbortSignal): Promise<FormAnswer>;
  /**
   * Shows the whole address and opens it only after a yes: `accept`. Nothing is fetched before. Rejects only when the
   * signal aborts.
   */
  visit(request: AddressRequest, signal: AbortSignal): Promise<'accept' | 'decline' | 'cancel'>;
}
