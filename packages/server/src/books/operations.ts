import type { AuditNote } from './audit-line.ts';
import type { IdempotencyClaim, ScopeClaim, WalletClaim } from './claims.ts';
import type { Attempt, CallEnd, CallFacts, StoredResult } from './rows.ts';
import type { ScopeKey } from './scope.ts';
import type { Collect, Release } from './unclaimed-payment.ts';

/** Takes the most that a call can cost, all or nothing. */
export interface Reserve {
  readonly kind: 'reserve';
  readonly facts: CallFacts;
  /** The most that it can cost; 0 for an unpriced model. */
  readonly amount: bigint;
  /** The wallet's grant, should the month's row be new; undefined where no wallet is touched. */
  readonly wallet: WalletClaim | undefined;
  /** Each once; none for nearly every call. */
  readonly scopes: readonly ScopeClaim[];
  /** Of the definitions of budgets that `scopes` was made by. */
  readonly budgetsRevision: bigint;
  /** For what the platform has billed already, and an operator books: no budget refuses it. */
  readonly isSpent?: true | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
  /** The dead call that has the key: its hold ends first, whatever then becomes of this one. */
  readonly ends?: Omit<Expire, 'kind' | 'isUnsent'> | undefined;
  readonly instanceId: string;
  readonly expiresAt: number;
  /** By the time that idempotency keys live by. */
  readonly now: number;
}

/** Adds a further maximum, before an attempt is repeated that may have been billed. */
export interface Extend {
  readonly kind: 'extend';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** 1 for the first extension: a repeat of the same one changes nothing. */
  readonly extension: number;
  readonly amount: bigint;
}

/** Ends a hold with what the call came to; a call that cost nothing is released by it as well. */
export interface Settle {
  readonly kind: 'settle';
  /** As its hold has them. */
  readonly facts: CallFacts;
  readonly end: CallEnd;
  /** Of the last attempt, where it asked another model than the call was admitted with. */
  readonly answeredBy?: Pick<CallFacts, 'usageModel' | 'priceVersion' | 'platform'> | undefined;
  /** In order, where there were several; what they cost together is the call's cost. */
  readonly attempts?: readonly Attempt[] | undefined;
  /** What the wallet pays, at most its hold, and only while the call's key still names it. */
  readonly walletCost: bigint;
  /** What becomes of the idempotency key, if the call carried one. */
  readonly outcome: 'answered' | 'unstored' | 'failed' | 'forgotten';
  /**
   * What its dialect replays; kept with `answered`, or of the last bad output that a key pays for,
   * and only while the key still names this call.
   */
  readonly result?: StoredResult | undefined;
  /** Set where no request has received the result yet: the retry that takes it up pays for it. */
  readonly isUnclaimed?: true | undefined;
  /** Until when the key counts, and its result is kept. */
  readonly answerExpiresAt: number;
  /** An operator's; see {@link TopUp.line}. */
  readonly line?: AuditNote;
}

/** Ends a hold that will not be settled: the budget pays all of it, the wallet nothing. */
export interface Expire {
  readonly kind: 'expire';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string | undefined;
  readonly month: string | undefined;
  readonly keyHash: string | undefined;
  readonly now: number;
  /** True when it is certain that the call was never made: then the budget pays nothing either. */
  readonly isUnsent?: true;
}

/** Puts a finished call's cost right. */
export interface Correct {
  readonly kind: 'correct';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string | undefined;
  readonly month: string | undefined;
  /** Of its idempotency key, under which a wallet pays once; left out where none is touched. */
  readonly keyHash?: string | undefined;
  readonly cost: bigint;
  /** Set where only estimates are replaced, and no wallet is touched. */
  readonly estimates?: Estimates | undefined;
  /** See {@link TopUp.line}. */
  readonly line?: AuditNote;
}

/** What attempts that are estimates are to be booked with. */
export interface Estimates {
  /** The record's cost when it was decided: another one was put right meanwhile, and stands. */
  readonly costBefore: bigint;
  /** None of a call without rows of attempts. */
  readonly attempts: readonly Pick<Attempt, 'n' | 'cost'>[];
}

/**
 * Puts the price of a finished call right that was made of a model without one. No wallet paid for
 * it: an app that meters credits is refused such a model.
 */
export interface Reprice {
  readonly kind: 'reprice';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** The price that it is booked with from now on. */
  readonly priceVersion: string;
  readonly cost: bigint;
  /** The part of `cost` that stays an estimate: attempts without counts. */
  readonly estimated: bigint;
  /** The record's cost by the price before: another one was put right meanwhile, and stands. */
  readonly costBefore: bigint;
  /** What attempts cost at that price, where the call has rows of them. */
  readonly attempts?: readonly Pick<Attempt, 'n' | 'cost'>[] | undefined;
  /** See {@link TopUp.line}. */
  readonly line?: AuditNote;
}

/** Adds top-up money to a wallet, or takes unspent top-up money back (a negative amount). */
export interface TopUp {
  readonly kind: 'top-up';
  readonly app: string;
  readonly userId: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly now: number;
  /**
   * For the audit log, where an operator asked: written in the same transaction, and only if
   * something changes. Amounts are told in credits of this worth.
   */
  readonly line?: AuditNote & { readonly picoUsdPerCredit: bigint };
}

/** One operation of the ledger; a batch of them is one transaction. */
export type Operation =
  | Reserve
  | Extend
  | Settle
  | Expire
  | Collect
  | Release
  | Correct
  | Reprice
  | TopUp;

/** A cap that has no room for a call. */
export interface FullScope extends ScopeKey {
  readonly cap: bigint;
}

/** What a reservation came to. */
export type ReserveOutcome =
  | { readonly kind: 'reserved' }
  | {
      readonly kind: 'refused';
      readonly code: 'BUDGET_EXCEEDED';
      /** The cap with the least room, whose figures these are; undefined for the app's own day. */
      readonly scope: ScopeKey | undefined;
      /** What would still fit into all that is enforced, at least 0. */
      readonly room: bigint;
      /** The others that refuse as well; the app's own day is `app:NAME` of that day. */
      readonly refusing: readonly FullScope[];
      readonly cap: bigint;
      readonly spent: bigint;
      readonly held: bigint;
      readonly needed: bigint;
      /** The call that failed, or was lost, under the same key. */
      readonly earlierCall?: string;
      /** Of a budget that a restored store has closed, whatever it has: when it was restored. */
      readonly closedAt?: number;
    }
  /** The app has no budget, and its day's amounts would be more than 64 bits can hold. */
  | {
      readonly kind: 'refused';
      readonly code: 'INVALID';
      readonly spent: bigint;
      readonly held: bigint;
      readonly needed: bigint;
    }
  | {
      readonly kind: 'refused';
      readonly code: 'INSUFFICIENT_CREDITS';
      readonly available: bigint;
      readonly held: bigint;
      readonly needed: bigint;
      readonly picoUsdPerCredit: bigint;
      /** Of a wallet that a restored store has closed, likewise. */
      readonly closedAt?: number;
    }
  /** It was decided on definitions of budgets that have changed: nothing was written. */
  | { readonly kind: 'outdated-budgets' }
  /** The key's call runs in a process that is gone: to be asked again with what its hold is. */
  | { readonly kind: 'dead'; readonly callId: string }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  /** An equal request has the key: there is another to take. */
  | { readonly kind: 'taken' }
  /** An equal request has left its result, which may be collected: nothing was written. */
  | { readonly kind: 'adoptable'; readonly callId: string; readonly keyHash: string }
  /** The same request is running: wait for it. */
  | { readonly kind: 'attach'; readonly callId: string }
  /** The same request has been answered: the answer is stored. */
  | { readonly kind: 'replay'; readonly callId: string }
  /** The same request has been answered: its result is stored, unless the app keeps none. */
  | { readonly kind: 'unstored'; readonly callId: string };

/** What a settlement left under its call's idempotency key. */
export interface Conclusion {
  /** Bad outputs under the key, this one included. */
  readonly badOutputs: number;
  /** The call that has the key now, when it is another: its answer stands. */
  readonly takenOverBy: string | undefined;
}

/** What an operation came to. */
export type Outcome =
  | ReserveOutcome
  | { readonly kind: 'extended' }
  | { readonly kind: 'not-extended' }
  | ({ readonly kind: 'settled'; readonly isOrphan: boolean } & Conclusion)
  | { readonly kind: 'expired' }
  | { readonly kind: 'released' }
  /** The result is this request's; whether its user's wallet has paid for it now. */
  | { readonly kind: 'collected'; readonly isPaid: boolean }
  /** Another has it, or its time is over. */
  | { readonly kind: 'gone' }
  /** There was no such hold any more. */
  | { readonly kind: 'ended-before' }
  | { readonly kind: 'corrected'; readonly before: bigint }
  | { readonly kind: 'no-call' }
  | { readonly kind: 'repriced' }
  /** The call was not settled, its price or cost was put right before, or its attempts differ. */
  | { readonly kind: 'not-repriced' }
  | { readonly kind: 'topped-up' }
  /** A debit above the unspent top-up money. */
  | { readonly kind: 'not-enough'; readonly available: bigint }
  /** What a wallet was given in all would not fit into its column: so much more would. */
  | { readonly kind: 'too-much'; readonly room: bigint };
