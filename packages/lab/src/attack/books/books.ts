/** A cap of the attack: what one app may spend on one day, or in all. */
export interface Account {
  /** The start of the labels of its calls. */
  readonly name: string;
  readonly app: string;
  /** The UTC day whose cap it is; undefined where the attack has one day. */
  readonly day?: string | undefined;
  /** 0 for an app that may spend nothing at all. */
  readonly capPicoUsd: bigint;
  /**
   * Its platform bills more than was asked for, one call after the other: what has been billed may
   * pass the cap, but no call may be admitted that did not fit beside what had been billed before.
   */
  readonly isOverstated?: true;
  /** Its callers send equal requests without keys: each that is admitted is a call of its own. */
  readonly isRepeated?: true;
  /** An operator has corrected calls of it below their bills. */
  readonly isCorrectedBelow?: true;
}

/** One call as the platform billed it, in the order of the bill. */
export interface BilledCall {
  readonly account: string;
  readonly label: string;
  readonly requestId: string;
  readonly picoUsd: bigint;
}

/** One call as the gateway's ledger booked it. */
export interface BookedCall {
  readonly account: string;
  readonly callId: string;
  /** By its idempotency key; undefined for a call that the attack did not make. */
  readonly label: string | undefined;
  /** `OK`, the code that was answered, or `LOST`. */
  readonly code: string;
  readonly picoUsd: bigint;
  /** The part of `picoUsd` that no platform has confirmed. */
  readonly estimatedPicoUsd: bigint;
  /** None for a call whose process died. */
  readonly attempts: readonly BookedAttempt[];
}

/** One attempt of a booked call. */
export interface BookedAttempt {
  /** The platform's id; undefined when no answer began. */
  readonly requestId: string | undefined;
  readonly picoUsd: bigint;
  /** Whether `picoUsd` is the most that it can have cost. */
  readonly isEstimated: boolean;
  /** Whether the gateway has read a whole answer. */
  readonly isAnswered: boolean;
}

/** What one logical call came to for its caller, however often it was sent. */
export type ToldCall = {
  readonly account: string;
  readonly label: string;
  /** The most that it could cost, as the attack reckons it. */
  readonly mostPicoUsd: bigint;
  /** Ids of its requests that failed: the books know a request without a key by no other name. */
  readonly failedIds?: readonly string[];
} & Told;

/** How a call ended for its caller. */
export type Told =
  | {
      readonly kind: 'answered';
      readonly callId: string;
      readonly requestId: string | undefined;
      readonly picoUsd: bigint;
    }
  /** The budget refused it; the sentence says why, and the header which one, where it was read. */
  | { readonly kind: 'refused'; readonly message: string; readonly scope?: string | undefined }
  /** Refused for another reason than the budget. */
  | { readonly kind: 'denied'; readonly code: string }
  /** The caller wanted no answer any more, or the platform was told to lose it. */
  | { readonly kind: 'left' }
  /** It ought to have been answered, and never was. */
  | { readonly kind: 'failed'; readonly code: string; readonly callId?: string | undefined };

/** What a platform stated of a call, as it was told to. */
export interface StatedCall {
  readonly label: string;
  /**
   * How it must be booked. `exact`: its counts are true, by whatever names, and perhaps grew along
   * a stream. `estimate`: it contradicts itself, or its counts are not all that was billed. `bill`:
   * the platform rejected it, so no more may be booked than was billed.
   */
  readonly booking: 'exact' | 'estimate' | 'bill';
  /** The part of the bill that no word of the response shows. */
  readonly unstatedPicoUsd?: bigint;
}

/** What a user's callers received, and what its wallet has paid, at one time. */
export interface UserBook {
  readonly account: string;
  readonly userId: string;
  readonly when: string;
  readonly paidPicoUsd: bigint;
  /** The cost of what was received as a whole. */
  readonly leastPicoUsd: bigint;
  /** With what was received in part, and what an own key could still collect. */
  readonly mostPicoUsd: bigint;
}

/** A crowd of which exactly so many calls fit under a cap. */
export interface Crowd {
  readonly account: string;
  readonly fits: number;
  readonly admitted: number;
}

/** A cap that some calls are held to, beside those of their apps' days or as one of these. */
export interface ScopeBook {
  /** As the header `x-budget-scope` writes it. */
  readonly name: string;
  readonly capPicoUsd: bigint;
  /** Every call that is held to it, by its label. */
  readonly labels: ReadonlySet<string>;
  /** Those among them that are to fill it: so many are admitted, and it refuses the others. */
  readonly crowd: ReadonlySet<string>;
  readonly fits: number;
}

/** What a budget has counted at one time, and what the calls come to that it counts. */
export interface BudgetCheck {
  /** With its period. */
  readonly name: string;
  readonly when: string;
  /** What its calls cost, at least and at most: some ended while the members changed. */
  readonly leastPicoUsd: bigint;
  readonly mostPicoUsd: bigint;
  readonly countedPicoUsd: bigint;
  /** What is reserved for its running calls, and what it counts as reserved. */
  readonly runningPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
}

/** Three books, none of them copied from another, and what else was noticed. */
export interface Books {
  readonly accounts: readonly Account[];
  /** What the platform billed. */
  readonly billed: readonly BilledCall[];
  /** What the gateway's ledger booked. */
  readonly booked: readonly BookedCall[];
  /** What callers were told. */
  readonly told: readonly ToldCall[];
  readonly crowds: readonly Crowd[];
  readonly scopes: readonly ScopeBook[];
  readonly budgets: readonly BudgetCheck[];
  /** What an operator has corrected calls to, by their ids. */
  readonly corrections: ReadonlyMap<string, bigint>;
  /** What platforms stated in a way that is easily misread. */
  readonly stated?: readonly StatedCall[];
  readonly users?: readonly UserBook[];
  /** What is held when all is over, by account. */
  readonly held: readonly { readonly account: string; readonly picoUsd: bigint }[];
  /** Invariants that the audit found broken, and promises that a stage saw broken: a line each. */
  readonly broken: readonly string[];
}

/** Books of a store that a stage has for itself, which are added to the others. */
export type OwnBooks = Pick<Books, 'accounts' | 'billed' | 'booked' | 'told' | 'held' | 'broken'>;
