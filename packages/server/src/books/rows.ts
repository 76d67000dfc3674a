import type { Scoped } from './scope.ts';

// The ledger's rows as the core sees them. Money is bigint pico-USD, moments are milliseconds since
// 1970, days are `YYYY-MM-DD` and months `YYYY-MM`, UTC.

/** An app's budget of one day. */
export interface BudgetDay {
  readonly app: string;
  readonly day: string;
  /** Undefined for an app without a budget. */
  cap: bigint | undefined;
  /**
   * The cap, or none, that the day's last call was admitted under; what invariant I1 is held to.
   * Nothing but an admission makes `spent − overrun + held` grow.
   */
  admittedCap: bigint | undefined;
  spent: bigint;
  held: bigint;
  /** The part of `spent` that no platform has confirmed. */
  estimated: bigint;
  /** The part of `spent` that went above its holds. */
  overrun: bigint;
}

/** A user's grant of one month. */
export interface WalletMonth {
  readonly app: string;
  readonly userId: string;
  readonly month: string;
  readonly granted: bigint;
  readonly picoUsdPerCredit: bigint;
  spentGrant: bigint;
  spentTopup: bigint;
  heldGrant: bigint;
}

/** A user's top-up money, which has no month. */
export interface WalletTopup {
  readonly app: string;
  readonly userId: string;
  added: bigint;
  spent: bigint;
  held: bigint;
}

/** What a call is: known when it is admitted, and carried by its hold and by its record alike. */
export interface CallFacts {
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** Undefined where the app does not meter credits; then no wallet is touched. */
  readonly month: string | undefined;
  readonly userId: string | undefined;
  readonly route: string;
  /** The model's id as the caller sent it. */
  readonly model: string;
  /** The model's name in the usage rollup: `other` for a model that no catalog row names. */
  readonly usageModel: string;
  /** Undefined for an unpriced model. */
  readonly priceVersion: string | undefined;
  /** The hash of the caller's idempotency key. */
  readonly keyHash: string | undefined;
  /** The API key that made it; undefined for calls of versions that did not note it. */
  readonly keyId: string | undefined;
  /** The network that it came from, shortened; undefined where that is not known. */
  readonly remote: string | undefined;
  /** Where its request stands in a trace, `TRACE-SPAN`; undefined for one that is in none. */
  readonly trace: string | undefined;
  /** The platform, by its name in the configuration, that was asked last, or is to be asked. */
  readonly platform: string | undefined;
  readonly startedAt: number;
}

/** Money set aside for a running call. */
export interface Hold extends CallFacts, Scoped {
  scopes: string | undefined;
  budgetAmount: bigint;
  readonly grantAmount: bigint;
  readonly topupAmount: bigint;
  /** How many further maxima were added for attempts whose predecessor may have been billed. */
  extensions: number;
  readonly instanceId: string;
  readonly expiresAt: number;
}

/** Sums of counts; input includes cached kinds, output reasoning. */
export interface Counts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Those of an attempt, of a call's last, with what was written to the cache for an hour. */
export type Tokens = Counts & { readonly cacheWrite1hInputTokens?: number | undefined };

/**
 * How a call's cost is known: `exact` from the platform's counts, `estimated` as the most it could
 * cost, `mixed` for an exact answer after a lost attempt, `free` when nothing was billed, `expired`
 * when it was not settled, `orphan` when its hold was gone, `corrected` by an operator.
 */
export type Basis = (typeof bases)[number];

/** Every {@link Basis}. */
export const bases = [
  'exact',
  'estimated',
  'mixed',
  'free',
  'expired',
  'orphan',
  'corrected',
] as const;

/** How a call ended. */
export interface CallEnd {
  /** `OK`, the code that was answered, or `LOST` when its process was gone. */
  readonly code: string;
  readonly tokens: Tokens;
  readonly cost: bigint;
  /** The part of `cost` that is an estimate. */
  readonly estimated: bigint;
  readonly basis: Basis;
  /** Why a part of it is an estimate; undefined where none is, and where it was not noted. */
  readonly estimateReason?: string | undefined;
  /**
   * JSON: its only attempt. None where it was not made, and where the call has rows of
   * {@link Attempt}; versions before these left an entry an attempt.
   */
  readonly attempts: string;
  /** The platform's id of the request. */
  readonly upstreamId: string | undefined;
  readonly endedAt: number;
}

/** A finished call. */
export interface CallRecord extends CallFacts, CallEnd, Scoped {
  readonly walletGrant: bigint;
  readonly walletTopup: bigint;
  /**
   * What was held for it in the budget when it ended; at most its earlier cost, once the cost has
   * changed, since others may have taken what that cost had left free.
   */
  readonly held: bigint;
  /** What had been held for it when it ended, whatever changed since; undefined where not noted. */
  readonly heldAtEnd: bigint | undefined;
  /** What its wallet held at first: it never pays more. Undefined for none, or not noted. */
  readonly walletHeld: bigint | undefined;
  /** The process that held for it; undefined where none did, or it was not noted. */
  readonly instanceId: string | undefined;
}

/** How an attempt's cost is known: see {@link Basis}. */
export const attemptBases = ['exact', 'estimated', 'free', 'corrected'] as const;

/** One attempt of a call: what it came to, and what it is booked with. */
export interface Attempt {
  readonly callId: string;
  /** 1 for the first. */
  readonly n: number;
  /** As it was asked for, its name in the rollup, and its price, like those of a call. */
  readonly model: string;
  readonly usageModel: string;
  readonly priceVersion: string | undefined;
  readonly platform: string | undefined;
  readonly startedAt: number;
  readonly tookMs: number;
  /** `answered`, or the code that it failed with. */
  readonly outcome: string;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly tokens: Tokens;
  /** JSON: how often priced tools were used, and the counts of priced parts; undefined for none. */
  readonly toolUses?: string | undefined;
  readonly tokenParts?: string | undefined;
  /** Whether the counts explain all that was billed. */
  readonly isCounted: boolean;
  readonly cost: bigint;
  readonly basis: (typeof attemptBases)[number];
  /** Like that of a call. */
  readonly estimateReason?: string | undefined;
  readonly upstreamId: string | undefined;
}

/** `answered`: with an answer; `unstored`: with a result, or nothing; `failed`: may run again. */
export const keyStates = ['running', 'answered', 'unstored', 'failed'] as const;

/** Where a logical call stands under its idempotency key. */
export interface IdempotencyRow {
  readonly app: string;
  readonly keyHash: string;
  fingerprint: string;
  state: (typeof keyStates)[number];
  callId: string;
  instanceId: string;
  expiresAt: number;
  /** How often the call ended in BAD_OUTPUT under this key. */
  badOutputs: number;
  /** What wallets have paid for the calls under it. */
  walletPaid: bigint;
}

/** What a call came to, for the dialect that replays it; `body` is encrypted. */
export interface StoredResult {
  /** The dialect that encoded it, and the version of that encoder. */
  readonly dialect: string;
  readonly encoderVersion: number;
  readonly body: string;
}

/** A stored result, under the key of its call: the key's own row says `unstored`. */
export interface ResultRow extends StoredResult {
  readonly callId: string;
  readonly app: string;
  readonly keyHash: string;
  readonly at: number;
}

/** A stored answer of a version before results, its `body` encrypted; empty, it marks a key. */
export interface AnswerRow {
  readonly app: string;
  readonly keyHash: string;
  readonly callId: string;
  readonly status: number;
  readonly body: string;
  readonly at: number;
}

/** A change of a wallet's top-up money. */
export interface WalletEntry {
  readonly app: string;
  readonly userId: string;
  readonly reference: string;
  /** Negative for a debit. */
  readonly amount: bigint;
  readonly at: number;
}

/** An app's usage of one model on one day. */
export interface UsageDay extends Counts {
  readonly app: string;
  readonly day: string;
  readonly model: string;
  readonly calls: number;
  readonly errors: number;
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly unpricedCalls: number;
}
