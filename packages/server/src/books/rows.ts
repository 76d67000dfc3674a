import type { ScopeList } from './scope.ts';

// The ledger's rows as the core sees them. Money is bigint pico-USD, times are milliseconds since
// 1970, days are `YYYY-MM-DD` and months `YYYY-MM`, UTC.

export interface BudgetDay {
  readonly app: string;
  readonly day: string;
  cap: bigint | undefined;
  /**
   * The cap under which the day's last call was admitted; invariant I1 checks against it. Only an
   * admission makes `spent − overrun + held` grow.
   */
  admittedCap: bigint | undefined;
  spent: bigint;
  held: bigint;
  /** Part of `spent` that no platform has confirmed. */
  estimated: bigint;
  /** Part of `spent` above its reservations. */
  overrun: bigint;
}

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

export interface WalletTopup {
  readonly app: string;
  readonly userId: string;
  added: bigint;
  spent: bigint;
  held: bigint;
}

/** Known at admission; the call's reservation and record contain it. */
export interface CallFacts {
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** Undefined for an app without credits; then no wallet is used. */
  readonly month: string | undefined;
  readonly userId: string | undefined;
  readonly route: string;
  readonly model: string;
  /** `other` for a model without a catalog row. */
  readonly usageModel: string;
  readonly priceVersion: string | undefined;
  readonly keyHash: string | undefined;
  /** Undefined for calls of versions that did not store it. */
  readonly keyId: string | undefined;
  /** The caller's network, shortened; undefined if unknown. */
  readonly remote: string | undefined;
  /** `TRACE-SPAN`. */
  readonly trace: string | undefined;
  /** The configured name of the platform called last, or to be called. */
  readonly platform: string | undefined;
  readonly startedAt: number;
}

export interface Hold extends CallFacts, ScopeList {
  scopes: string | undefined;
  budgetAmount: bigint;
  readonly grantAmount: bigint;
  readonly topupAmount: bigint;
  /** Maximum costs added after possibly billed attempts. */
  extensions: number;
  readonly instanceId: string;
  readonly expiresAt: number;
}

/** Input includes cached kinds, output reasoning. */
export interface Counts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Of an attempt or a call's last attempt, with one-hour cache writes. */
export type Tokens = Counts & { readonly cacheWrite1hInputTokens?: number | undefined };

/**
 * `exact`: the platform's counts; `estimated`: the maximum cost; `mixed`: exact after a lost
 * attempt; `free`: nothing billed. `expired`: never settled; `orphan`: reservation missing;
 * `corrected`: by an operator.
 */
export type Basis = (typeof bases)[number];

export const bases = [
  'exact',
  'estimated',
  'mixed',
  'free',
  'expired',
  'orphan',
  'corrected',
] as const;

export interface CallEnd {
  /** `OK`, the error code of the response, or `LOST` if its process died. */
  readonly code: string;
  readonly tokens: Tokens;
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly basis: Basis;
  /** Undefined if nothing is estimated, or no reason was stored. */
  readonly estimateReason?: string | undefined;
  /**
   * JSON of the only attempt. Empty without attempts, or if the call has rows of {@link Attempt};
   * earlier versions stored one entry per attempt.
   */
  readonly attempts: string;
  readonly upstreamId: string | undefined;
  readonly endedAt: number;
  /** From its start to the first output sent; undefined for none, or if not stored. */
  readonly firstMs?: number | undefined;
}

export interface CallRecord extends CallFacts, CallEnd, ScopeList {
  readonly walletGrant: bigint;
  readonly walletTopup: bigint;
  /**
   * Reserved in the budget at its end. After a change of cost, at most the earlier cost, since
   * others might have used the rest.
   */
  readonly held: bigint;
  /** Never changes afterwards; undefined if not stored. */
  readonly heldAtEnd: bigint | undefined;
  /** The first reservation; the wallet never pays more. Undefined for none, or if not stored. */
  readonly walletHeld: bigint | undefined;
  /** Of the process that reserved; undefined for none, or if not stored. */
  readonly instanceId: string | undefined;
}

export const attemptBases = ['exact', 'estimated', 'free', 'corrected'] as const;

export interface Attempt {
  readonly callId: string;
  /** From 1. */
  readonly n: number;
  readonly model: string;
  readonly usageModel: string;
  readonly priceVersion: string | undefined;
  readonly platform: string | undefined;
  readonly startedAt: number;
  readonly tookMs: number;
  /** `answered`, or the code of the failure. */
  readonly outcome: string;
  readonly status: number | undefined;
  readonly tokens: Tokens;
  /** JSON: uses of priced tools, counts of priced parts. */
  readonly toolUses?: string | undefined;
  readonly tokenParts?: string | undefined;
  /** The counts explain the whole billed amount. */
  readonly isCounted: boolean;
  readonly cost: bigint;
  readonly basis: (typeof attemptBases)[number];
  readonly estimateReason?: string | undefined;
  readonly upstreamId: string | undefined;
}

/** `unstored`: ended, with or without a result; `failed`: may run again. */
export const keyStates = ['running', 'answered', 'unstored', 'failed'] as const;

export interface IdempotencyRow {
  readonly app: string;
  readonly keyHash: string;
  fingerprint: string;
  state: (typeof keyStates)[number];
  callId: string;
  instanceId: string;
  expiresAt: number;
  badOutputs: number;
  walletPaid: bigint;
}

/** `body` is encrypted. */
export interface StoredResult {
  readonly dialect: string;
  readonly encoderVersion: number;
  readonly body: string;
}

export interface ResultRow extends StoredResult {
  readonly callId: string;
  readonly app: string;
  readonly keyHash: string;
  readonly at: number;
}

/** From versions before results; `body` is encrypted. An empty `body` only marks a key. */
export interface AnswerRow {
  readonly app: string;
  readonly keyHash: string;
  readonly callId: string;
  readonly status: number;
  readonly body: string;
  readonly at: number;
}

export interface WalletEntry {
  readonly app: string;
  readonly userId: string;
  readonly reference: string;
  /** Negative for a debit. */
  readonly amount: bigint;
  readonly at: number;
}

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
