/** How a call came to its answer: see {@link metaOf}. */
export interface CallMeta {
  /** The gateway's id of the request that was answered: give it to the operator. */
  readonly gatewayRequestId: string | undefined;
  /** Attempts that were made, the answered one included. */
  readonly attempts: number;
  /** True when the answer was made for an earlier request with the same key, and charged then. */
  readonly replayed: boolean;
  /** From the call to its answer, waits and failed attempts included, in milliseconds. */
  readonly durationMs: number;
  /**
   * What the whole call cost in USD, as an exact decimal: the answer's own cost, and that of
   * attempts which were billed and failed, such as a BAD_OUTPUT. `null` for a model without a
   * price, `undefined` for what is no call of a model.
   */
  readonly costUsd: string | null | undefined;
  /** The answer's headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

// Registered, so that an answer of one copy of this package is known to another.
const metaInside: unique symbol = Symbol.for('@model-gateway/sdk/meta');

/**
 * How a call came to its answer: the id for the operator, attempts, time, cost and headers. Takes
 * what `chat`, `object`, `agent`, `usage`, `models` and `credits` answered, or a step's `answer`.
 * @throws TypeError for anything else, such as a copy of an answer.
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
 * The answer, from now on with its meta, which neither prints nor copies show. It is written when
 * it is asked for: most callers never do.
 */
export function attachMeta<Answer>(answer: Answer, write: () => CallMeta): Answer {
  let meta: CallMeta | undefined;
  const value = () => {
    meta ??= write();
    return meta;
  };
  return Object.defineProperty(answer, metaInside, { value });
}
