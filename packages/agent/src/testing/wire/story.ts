// What a wire server answers, one entry a request, in words that are the same for every wire format.

/** A complete answer of a model. */
export interface WireTurn {
  readonly text?: string;
  /** Signed or encrypted where the format knows that; the server then checks that it comes back. */
  readonly reasoning?: string;
  readonly calls?: readonly WireCall[];
  readonly usage?: { readonly input: number; readonly output: number };
  /** `length`: the model ran into its limit. */
  readonly ends?: 'length';
}

export interface WireCall {
  /** Given by the server when absent. */
  readonly id?: string;
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Sent as the arguments, whatever it is; not possible in Gemini's format, where arguments are no text. */
  readonly rawInput?: string;
}

export type WireAnswer =
  | ({ readonly kind: 'turn' } & WireTurn)
  /** An error in the provider's own JSON shape. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      /** The provider's word for it; a usual one for the status when absent. */
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Status 200, then an error event inside the stream, after half of `turn` if there is one. */
  | {
      readonly kind: 'stream-error';
      readonly type: string;
      readonly message: string;
      readonly turn?: WireTurn;
    }
  /** Half of the answer, then the socket is destroyed. */
  | { readonly kind: 'drop'; readonly turn: WireTurn }
  /** Half of the answer, then the body ends as if it were whole: what a proxy does. */
  | { readonly kind: 'cut'; readonly turn: WireTurn }
  /** Half of the answer, or not even headers, then nothing until the client leaves. */
  | { readonly kind: 'hang'; readonly turn?: WireTurn }
  /** Status 200 and an event stream whose events are not what they should be. */
  | { readonly kind: 'garbage'; readonly text?: string }
  /** A web page. */
  | { readonly kind: 'page'; readonly status: number };
