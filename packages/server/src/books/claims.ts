import type { ScopeKey, ScopeMode } from './scope.ts';

/** A cap, besides the app's day, that holds a call. */
export interface ScopeClaim extends ScopeKey {
  readonly cap: bigint;
  readonly mode: ScopeMode;
  /** When the closing restore was made: calls are refused. Undefined while open. */
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
  /** Set where the caller sent no key: the request claims one the gateway made. */
  readonly adoption?: AdoptionClaim | undefined;
}

/** Equal requests share the keys, one a running call. */
export interface AdoptionClaim {
  /** Keys an earlier equal request may be under, where this one repeats it. */
  readonly earlier: readonly string[];
  readonly mayWait: boolean;
}
