import type { AuditNote } from './audit-line.ts';
import type { IdempotencyClaim, ScopeClaim, WalletClaim } from './claims.ts';
import type { Attempt, CallEnd, CallFacts, StoredResult } from './rows.ts';
import type { ScopeKey } from './scope.ts';
import type { Collect, Release } from './unclaimed-payment.ts';

/** All or nothing. */
export interface Reserve {
  readonly kind: 'reserve';
  readonly facts: CallFacts;
  /** The most the call can cost; 0 for an unpriced model. */
  readonly amount: bigint;
  /** The grant of a new month row; undefined where no wallet is touched. */
  readonly wallet: WalletClaim | undefined;
  readonly scopes: readonly ScopeClaim[];
  readonly budgetsRevision: bigint;
  /** For what the platform has billed already and an operator books: no budget refuses it. */
  readonly isSpent?: true | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
  /** The dead call that has the key: its hold ends first, whatever becomes of this one. */
  readonly ends?: Omit<Expire, 'kind' | 'isUnsent'> | undefined;
  readonly instanceId: string;
  readonly expiresAt: number;
  /** By the clock of idempotency keys. */
  readonly now: number;
}

/** Before repeating an attempt that may have been billed. */
export interface Extend {
  readonly kind: 'extend';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** From 1: a repeat of the same one changes nothing. */
  readonly extension: number;
  readonly amount: bigint;
}

export interface Settle {
  readonly kind: 'settle';
  readonly facts: CallFacts;
  readonly end: CallEnd;
  /** Of the last attempt, where it asked another model than the admitted one. */
  readonly answeredBy?: Pick<CallFacts, 'usageModel' | 'priceVersion' | 'platform'> | undefined;
  /** In order, where there were several; together they cost the call's cost. */
  readonly attempts?: readonly Attempt[] | undefined;
  /** At most its hold, and only while the call's key still names it. */
  readonly walletCost: bigint;
  readonly outcome: 'answered' | 'unstored' | 'failed' | 'forgotten';
  /**
   * Kept with `answered`, or of the last bad output that a key pays for, while the key still names
   * this call.
   */
  readonly result?: StoredResult | undefined;
  /** No request has received the result yet: the retry that takes it up pays. */
  readonly isUnclaimed?: true | undefined;
  readonly answerExpiresAt: number;
  readonly line?: AuditNote;
}

/** The budget pays all of it, the wallet nothing. */
export interface Expire {
  readonly kind: 'expire';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string | undefined;
  readonly month: string | undefined;
  readonly keyHash: string | undefined;
  readonly now: number;
  /** The call certainly was never made: then the budget pays nothing either. */
  readonly isUnsent?: true;
}

export interface Correct {
  readonly kind: 'correct';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string | undefined;
  readonly month: string | undefined;
  /** A wallet pays once under a key; left out where no wallet is touched. */
  readonly keyHash?: string | undefined;
  readonly cost: bigint;
  /** Set where only estimates are replaced, and no wallet is touched. */
  readonly estimates?: Estimates | undefined;
  readonly line?: AuditNote;
}

export interface Estimates {
  /** The record's cost at the decision: one put right meanwhile stays. */
  readonly costBefore: bigint;
  readonly attempts: readonly Pick<Attempt, 'n' | 'cost'>[];
}

/**
 * For models without a price. No wallet paid: an app that meters credits is refused such a model.
 */
export interface Reprice {
  readonly kind: 'reprice';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly priceVersion: string;
  readonly cost: bigint;
  /** Attempts without counts stay an estimate. */
  readonly estimated: bigint;
  /** The record's cost at the price before: one put right meanwhile stays. */
  readonly costBefore: bigint;
  readonly attempts?: readonly Pick<Attempt, 'n' | 'cost'>[] | undefined;
  readonly line?: AuditNote;
}

/** A negative amount takes unspent money back. */
export interface TopUp {
  readonly kind: 'top-up';
  readonly app: string;
  readonly userId: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly now: number;
  /**
   * An operator's: written in the same transaction, only if something changes. Amounts are in
   * credits of this worth.
   */
  readonly line?: AuditNote & { readonly picoUsdPerCredit: bigint };
}

/** A batch of them is one transaction. */
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

export interface FullScope extends ScopeKey {
  readonly cap: bigint;
}

export type ReserveOutcome =
  | { readonly kind: 'reserved' }
  | {
      readonly kind: 'refused';
      readonly code: 'BUDGET_EXCEEDED';
      /** The cap with the least room, whose figures these are; undefined for the app's own day. */
      readonly scope: ScopeKey | undefined;
      /** Fits into all that is enforced; at least 0. */
      readonly remaining: bigint;
      /** The others; the app's own day is `app:NAME` of that day. */
      readonly refusing: readonly FullScope[];
      readonly cap: bigint;
      readonly spent: bigint;
      readonly held: bigint;
      readonly needed: bigint;
      /** Failed or lost under the same key. */
      readonly earlierCall?: string;
      /** When the restore closed the budget, whatever room it has. */
      readonly closedAt?: number;
    }
  /** The app has no budget, and its day's amounts would exceed 64 bits. */
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
      readonly closedAt?: number;
    }
  /** Budget definitions have changed since the decision: nothing was written. */
  | { readonly kind: 'outdated-budgets' }
  /** The key's call runs in a dead process: ask again with its hold. */
  | { readonly kind: 'dead'; readonly callId: string }
  | { readonly kind: 'mismatch' }
  /** An equal request has the key: take another. */
  | { readonly kind: 'taken' }
  /** An equal request's result may be collected: nothing was written. */
  | { readonly kind: 'adoptable'; readonly callId: string; readonly keyHash: string }
  | { readonly kind: 'attach'; readonly callId: string }
  | { readonly kind: 'replay'; readonly callId: string }
  /** The result is stored, unless the app keeps none. */
  | { readonly kind: 'unstored'; readonly callId: string };

export interface Conclusion {
  readonly badOutputs: number;
  /** Another call has the key now: its answer stays. */
  readonly takenOverBy: string | undefined;
}

export type Outcome =
  | ReserveOutcome
  | { readonly kind: 'extended' }
  | { readonly kind: 'not-extended' }
  | ({ readonly kind: 'settled'; readonly isOrphan: boolean } & Conclusion)
  | { readonly kind: 'expired' }
  | { readonly kind: 'released' }
  /** `isPaid`: the user's wallet has paid for it now. */
  | { readonly kind: 'collected'; readonly isPaid: boolean }
  | { readonly kind: 'gone' }
  | { readonly kind: 'ended-before' }
  | { readonly kind: 'corrected'; readonly before: bigint }
  | { readonly kind: 'no-call' }
  | { readonly kind: 'repriced' }
  /** The call was not settled, its price or cost was put right before, or its attempts differ. */
  | { readonly kind: 'not-repriced' }
  | { readonly kind: 'topped-up' }
  | { readonly kind: 'not-enough'; readonly available: bigint }
  /** The wallet's total would exceed its column; `remaining` would fit. */
  | { readonly kind: 'too-much'; readonly remaining: bigint };
