// What conditions and rules can see of one tool call; parsed once, matched many times.

/** The one argument a glob is tested on. The host says which input field it is, since it knows its tools. */
export type CallSubject =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'none' };

export interface CallView {
  readonly tool: string;
  readonly subject:
    | {
        readonly kind: 'command';
        readonly line: string;
        /** Every simple command of the line as unquoted words. */
        readonly commands: readonly (readonly string[])[];
        /** False where something in the line could not be read with certainty. */
        readonly complete: boolean;
      }
    /** The same file as it was written, relative to the workspace, absolute and with links resolved. */
    | { readonly kind: 'path'; readonly forms: readonly string[] }
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'none' };
}
