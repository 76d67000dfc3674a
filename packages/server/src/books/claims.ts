import type { ScopeKey, ScopeMode } from './scope.ts';

/** A call's claim on a budget other than the app's daily budget. */
export interface ScopeClaim extends ScopeKey {
  readonly cap: bigint;
  readonly mode: ScopeMode;
  /** When the closing restore was made: calls are rejected. Undefined while open. */
  readonly closedAt?: number | undefined;
}

export interface WalletClaim {
  readonly granted: bigint;
  readonly picoUsdPerCredit: bigint;
  readonly closedAt?: number | undefined;
}

export interface IdempotencyClaim {
  readonly keyHash: string;
  readonly fingerprint: string;
  readonly expiresAt: number;
  /** Set if the caller sent no key: the request claims a key that the gateway made. */
  readonly adoption?: AdoptionClaim | undefined;
}

/** Equal requests share the keys, one key per running call. */
export interface AdoptionClaim {
  /** Keys that an earlier equal request might have, if this request retries it. */
  readonly earlier: readonly string[];
  readonly mayWait: boolean;
}
