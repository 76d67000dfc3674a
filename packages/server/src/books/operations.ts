import type { AuditNote } from './audit-line.ts';
import type { IdempotencyClaim, ScopeClaim, WalletClaim } from './claims.ts';
import type { Attempt, CallEnd, CallFacts, StoredResult } from './rows.ts';
import type { ScopeKey } from './scope.ts';
import type { Collect, Release } from './unclaimed-payment.ts';

/** All or nothing. */
export interface Reserve {
  readonly kind: 'reserve';
  readonly facts: CallFacts;
  /** The maximum cost of the call; 0 for an unpriced model. */
  readonly amount: bigint;
  /** The grant of a new month row; undefined if no wallet is used. */
  readonly wallet: WalletClaim | undefined;
  readonly scopes: readonly ScopeClaim[];
  readonly budgetsRevision: bigint;
  /** The platform has billed the call already and an operator books it, so no budget rejects it. */
  readonly isSpent?: true | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
  /** The dead call that has the key: its reservation ends first, even if this one is rejected. */
  readonly ends?: Omit<Expire, 'kind' | 'isUnsent'> | undefined;
  readonly instanceId: string;
  readonly expiresAt: number;
  /** By the clock of idempotency keys. */
  readonly now: number;
}

/** Before another attempt after a possibly billed attempt. */
export interface Extend {
  readonly kind: 'extend';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** From 1: a retry with the same number changes nothing. */
  readonly extension: number;
  readonly amount: bigint;
}

export interface Settle {
  readonly kind: 'settle';
  readonly facts: CallFacts;
  readonly end: CallEnd;
  /** Of the last attempt, if it called another model than the admitted one. */
  readonly answeredBy?: Pick<CallFacts, 'usageModel' | 'priceVersion' | 'platform'> | undefined;
  /** In order, if there were several; their costs add up to the call's cost. */
  readonly attempts?: readonly Attempt[] | undefined;
  /** At most its reservation, and only while the call's key still names it. */
  readonly walletCost: bigint;
  readonly outcome: 'answered' | 'unstored' | 'failed' | 'forgotten';
  /**
   * Stored with `answered`, or for the last bad output that a key pays for, while the key still
   * names this call.
   */
  readonly result?: StoredResult | undefined;
  /** No request has received the result yet: the retry that collects it pays. */
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
  /** A wallet pays once under a key; absent if no wallet is used. */
  readonly keyHash?: string | undefined;
  readonly cost: bigint;
  /** Set if only estimates are replaced, and no wallet is used. */
  readonly estimates?: Estimates | undefined;
  readonly line?: AuditNote;
}

export interface Estimates {
  /** The record's cost at the decision; a later correction remains. */
  readonly costBefore: bigint;
  readonly attempts: readonly Pick<Attempt, 'n' | 'cost'>[];
}

/**
 * For models without a price. No wallet paid: an app that meters credits is rejected for such a
 * model.
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
  /** The record's cost at the old price; a later correction remains. */
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
   * The operator's audit line, written in the same transaction, only if something changes. Amounts
   * are in credits of this value.
   */
  readonly line?: AuditNote & { readonly picoUsdPerCredit: bigint };
}

/** One transaction commits a batch of operations. */
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
      /**
       * The budget with the least left, whose amounts these are; undefined for the app's daily
       * budget.
       */
      readonly scope: ScopeKey | undefined;
      /** An amount that fits every enforced budget; at least 0. */
      readonly remaining: bigint;
      /** The others; the app's daily budget is `app:NAME` of that day. */
      readonly refusing: readonly FullScope[];
      readonly cap: bigint;
      readonly spent: bigint;
      readonly held: bigint;
      readonly needed: bigint;
      /** Failed or lost under the same key. */
      readonly earlierCall?: string;
      /** When the restore closed the budget, whatever its remaining amount. */
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
  /** Budget definitions have changed since the decision; nothing was written. */
  | { readonly kind: 'outdated-budgets' }
  /** The key's call runs in a dead process: reserve again with its reservation in `ends`. */
  | { readonly kind: 'dead'; readonly callId: string }
  | { readonly kind: 'mismatch' }
  /** An equal request has the key: use another. */
  | { readonly kind: 'taken' }
  /** An equal request's result may be collected; nothing was written. */
  | { readonly kind: 'adoptable'; readonly callId: string; readonly keyHash: string }
  | { readonly kind: 'attach'; readonly callId: string }
  | { readonly kind: 'replay'; readonly callId: string }
  /** The result is stored, unless the app stores none. */
  | { readonly kind: 'unstored'; readonly callId: string };

export interface Conclusion {
  readonly badOutputs: number;
  /** Another call has the key now, and its answer remains. */
  readonly takenOverBy: string | undefined;
}

export type Outcome =
  | ReserveOutcome
  | { readonly kind: 'extended' }
  | { readonly kind: 'not-extended' }
  | ({ readonly kind: 'settled'; readonly isOrphan: boolean } & Conclusion)
  | { readonly kind: 'expired' }
  | { readonly kind: 'released' }
  /** `isPaid`: the user's wallet has now paid for it. */
  | { readonly kind: 'collected'; readonly isPaid: boolean }
  | { readonly kind: 'gone' }
  | { readonly kind: 'ended-before' }
  | { readonly kind: 'corrected'; readonly before: bigint }
  | { readonly kind: 'no-call' }
  | { readonly kind: 'repriced' }
  /** The call was not settled, its price or cost was corrected before, or its attempts differ. */
  | { readonly kind: 'not-repriced' }
  | { readonly kind: 'topped-up' }
  | { readonly kind: 'not-enough'; readonly available: bigint }
  /** The wallet's total would exceed its column; `remaining` would fit. */
  | { readonly kind: 'too-much'; readonly remaining: bigint };
