import type { ScopeList } from './scope.ts';

// The ledger's rows as the core sees them. Money is bigint pico-USD, moments are milliseconds since
// 1970, days are `YYYY-MM-DD` and months `YYYY-MM`, UTC.

export interface BudgetDay {
  readonly app: string;
  readonly day: string;
  cap: bigint | undefined;
  /**
   * The cap the day's last call was admitted under; invariant I1 is held to it. Only an admission
   * makes `spent − overrun + held` grow.
   */
  admittedCap: bigint | undefined;
  spent: bigint;
  held: bigint;
  /** Part of `spent` that no platform has confirmed. */
  estimated: bigint;
  /** Part of `spent` above its holds. */
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

/** Known at admission; its hold and its record carry it. */
export interface CallFacts {
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  /** Undefined where the app meters no credits; then no wallet is touched. */
  readonly month: string | undefined;
  readonly userId: string | undefined;
  readonly route: string;
  readonly model: string;
  /** `other` for a model that no catalog row names. */
  readonly usageModel: string;
  readonly priceVersion: string | undefined;
  readonly keyHash: string | undefined;
  /** Undefined for calls of versions that did not note it. */
  readonly keyId: string | undefined;
  /** The caller's network, shortened; undefined if unknown. */
  readonly remote: string | undefined;
  /** `TRACE-SPAN`. */
  readonly trace: string | undefined;
  /** The configured name of the platform asked last, or to be asked. */
  readonly platform: string | undefined;
  readonly startedAt: number;
}

export interface Hold extends CallFacts, ScopeList {
  scopes: string | undefined;
  budgetAmount: bigint;
  readonly grantAmount: bigint;
  readonly topupAmount: bigint;
  /** Maxima added for attempts whose predecessor may have been billed. */
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

/** Of an attempt or a call's last, with one-hour cache writes. */
export type Tokens = Counts & { readonly cacheWrite1hInputTokens?: number | undefined };

/**
 * `exact`: the platform's counts; `estimated`: the most it could cost; `mixed`: exact after a lost
 * attempt; `free`: nothing billed; `expired`: never settled; `orphan`: hold gone; `corrected`: by
 * an operator.
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
  /** `OK`, the code that was answered, or `LOST` when its process was gone. */
  readonly code: string;
  readonly tokens: Tokens;
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly basis: Basis;
  /** Undefined where nothing is estimated, or no reason was noted. */
  readonly estimateReason?: string | undefined;
  /**
   * JSON of the only attempt. Empty where none was made, or the call has rows of {@link Attempt};
   * earlier versions left an entry an attempt.
   */
  readonly attempts: string;
  readonly upstreamId: string | undefined;
  readonly endedAt: number;
  /** From its start to the first output sent; undefined for none, or not noted. */
  readonly firstMs?: number | undefined;
}

export interface CallRecord extends CallFacts, CallEnd, ScopeList {
  readonly walletGrant: bigint;
  readonly walletTopup: bigint;
  /**
   * Held in the budget at its end; at most its earlier cost once the cost has changed, since others
   * may have taken what it left free.
   */
  readonly held: bigint;
  /** Whatever changed since; undefined where not noted. */
  readonly heldAtEnd: bigint | undefined;
  /** Held at first: the wallet never pays more. Undefined for none, or not noted. */
  readonly walletHeld: bigint | undefined;
  /** Of the holding process; undefined for none, or not noted. */
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
  /** `answered`, or the code that it failed with. */
  readonly outcome: string;
  readonly status: number | undefined;
  readonly tokens: Tokens;
  /** JSON: uses of priced tools, counts of priced parts. */
  readonly toolUses?: string | undefined;
  readonly tokenParts?: string | undefined;
  /** The counts explain all that was billed. */
  readonly isCounted: boolean;
  readonly cost: bigint;
  readonly basis: (typeof attemptBases)[number];
  readonly estimateReason?: string | undefined;
  readonly upstreamId: string | undefined;
}

/** `unstored`: with a result, or nothing; `failed`: may run again. */
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

/** From versions before results; `body` is encrypted, and if empty marks a key. */
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
