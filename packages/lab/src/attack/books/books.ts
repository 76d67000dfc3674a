/** The budget of one app, for one day or in total. */
export interface Account {
  readonly name: string;
  readonly app: string;
  /** Undefined if the attack has one day. */
  readonly day?: string | undefined;
  /** 0 for an app that may spend nothing. */
  readonly capPicoUsd: bigint;
  /**
   * The platform bills above the request. Bills may exceed the budget, but a call is admitted only
   * if it fits in addition to the earlier ones.
   */
  readonly isOverstated?: true;
  /** Its callers send equal requests without keys; each admitted one is a separate call. */
  readonly isRepeated?: true;
  /** An operator has corrected some calls below their bills. */
  readonly isCorrectedBelow?: true;
}

/** In the order of the bill. */
export interface BilledCall {
  readonly account: string;
  readonly label: string;
  readonly requestId: string;
  readonly picoUsd: bigint;
}

export interface BookedCall {
  readonly account: string;
  readonly callId: string;
  /** The idempotency key; undefined for a call from outside the attack. */
  readonly label: string | undefined;
  /** `OK`, the response's code, or `LOST`. */
  readonly code: string;
  readonly picoUsd: bigint;
  readonly estimatedPicoUsd: bigint;
  /** Empty for a call whose process died. */
  readonly attempts: readonly BookedAttempt[];
}

export interface BookedAttempt {
  /** The platform's id; undefined if no response began. */
  readonly requestId: string | undefined;
  readonly picoUsd: bigint;
  /** `picoUsd` is the maximum cost. */
  readonly isEstimated: boolean;
  readonly isAnswered: boolean;
}

export type CallResult = {
  readonly account: string;
  readonly label: string;
  readonly maximumCostPicoUsd: bigint;
  /** Only these identify a request without a key in the ledger. */
  readonly failedIds?: readonly string[];
} & CallOutcome;

export type CallOutcome =
  | {
      readonly kind: 'answered';
      readonly callId: string;
      readonly requestId: string | undefined;
      readonly picoUsd: bigint;
    }
  /** The budget rejected it; `scope` is from the header, if it was read. */
  | { readonly kind: 'refused'; readonly message: string; readonly scope?: string | undefined }
  | { readonly kind: 'denied'; readonly code: string }
  /** The caller disconnected, or the platform was instructed to lose the response. */
  | { readonly kind: 'left' }
  /** It got no response, but had to. */
  | { readonly kind: 'failed'; readonly code: string; readonly callId?: string | undefined };

export interface ExpectedBooking {
  readonly label: string;
  /**
   * `exact`: true counts under any name, which may grow along a stream. `estimate`: contradictory,
   * or below the bill. `bill`: rejected, so the booking must not exceed the bill.
   */
  readonly booking: 'exact' | 'estimate' | 'bill';
  /** The part of the bill that the response does not show. */
  readonly unreportedPicoUsd?: bigint;
}

export interface UserBook {
  readonly account: string;
  readonly userId: string;
  readonly when: string;
  readonly paidPicoUsd: bigint;
  /** Only whole responses. */
  readonly leastPicoUsd: bigint;
  /** Includes partial responses, and responses that a key could still collect. */
  readonly maximumCostPicoUsd: bigint;
}

/** Exactly `fits` of its calls fit the budget. */
export interface Crowd {
  readonly account: string;
  readonly fits: number;
  readonly admitted: number;
}

/** In addition to the apps' daily budgets, or one of them. */
export interface ScopeBook {
  /** In the format of the header `x-budget-scope`. */
  readonly name: string;
  readonly capPicoUsd: bigint;
  readonly labels: ReadonlySet<string>;
  /** The calls that fill it: it admits `fits` of them, and rejects the others. */
  readonly crowd: ReadonlySet<string>;
  readonly fits: number;
}

export interface BudgetCheck {
  readonly name: string;
  readonly when: string;
  /** A range, since some calls ended while the members changed. */
  readonly leastPicoUsd: bigint;
  readonly maximumCostPicoUsd: bigint;
  readonly countedPicoUsd: bigint;
  readonly runningPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
}

export interface Books {
  readonly accounts: readonly Account[];
  readonly billed: readonly BilledCall[];
  readonly booked: readonly BookedCall[];
  readonly callResults: readonly CallResult[];
  readonly crowds: readonly Crowd[];
  readonly scopes: readonly ScopeBook[];
  readonly budgets: readonly BudgetCheck[];
  readonly corrections: ReadonlyMap<string, bigint>;
  readonly expectedBookings?: readonly ExpectedBooking[];
  readonly users?: readonly UserBook[];
  readonly held: readonly { readonly account: string; readonly picoUsd: bigint }[];
  /** A line for each invariant or promise that was broken. */
  readonly broken: readonly string[];
}

/** From a stage's separate store; added to the others. */
export type OwnBooks = Pick<
  Books,
  'accounts' | 'billed' | 'booked' | 'callResults' | 'held' | 'broken'
>;
