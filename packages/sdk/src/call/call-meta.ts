/** Facts about a call and its response: see {@link metaOf}. */
export interface CallMeta {
  /** The gateway's id of the successful request: send it to the operator. */
  readonly gatewayRequestId: string | undefined;
  /** The number of attempts, the successful one included. */
  readonly attempts: number;
  /** True when the response was made, and charged, for an earlier request with the same key. */
  readonly replayed: boolean;
  /** From the call to its response, waits and failed attempts included, in milliseconds. */
  readonly durationMs: number;
  /**
   * The cost of the whole call in USD, as an exact decimal: the response's own cost, plus billed
   * failures, such as a BAD_OUTPUT. `null` for a model without a price, `undefined` for a call
   * without a model.
   */
  readonly costUsd: string | null | undefined;
  /** The response's headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

// Registered: one copy of this package recognizes a response of another.
const metaInside: unique symbol = Symbol.for('@model-gateway/sdk/meta');

/**
 * Facts about a call: the id for the operator, attempts, time, cost and headers. Accepts the
 * results of `chat`, `object`, `agent`, `usage`, `models` and `credits`, or a step's `answer`.
 * @throws TypeError for anything else, such as a copy of a response.
 * @example
 * const answer = await client.chat(request);
 * log.info({ requestId: metaOf(answer).gatewayRequestId }, 'answered');
 */
export function metaOf(answer: object): CallMeta {
  const { [metaInside]: write } = Object(answer);
  if (typeof write === 'function') return write();
  throw new TypeError('metaOf: pass a response of the client; for a run, step.answer');
}

/**
 * Attaches its meta to the response, hidden from prints and copies. It is written when it is first
 * read: most callers never read it.
 */
export function attachMeta<Answer>(answer: Answer, write: () => CallMeta): Answer {
  let meta: CallMeta | undefined;
  const value = () => {
    meta ??= write();
    return meta;
  };
  return Object.defineProperty(answer, metaInside, { value });
}
