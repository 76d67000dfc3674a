import type { ScopeKey, ScopeMode } from './scope.ts';

/** A cap beside the app's day that a call is to be held in. */
export interface ScopeClaim extends ScopeKey {
  /** Should the row be new. */
  readonly cap: bigint;
  readonly mode: ScopeMode;
  /** When the store was restored that has closed it: calls are refused. Undefined while open. */
  readonly closedAt?: number | undefined;
}

/** A wallet that a call is paid from. */
export interface WalletClaim {
  readonly granted: bigint;
  readonly picoUsdPerCredit: bigint;
  /** See {@link ScopeClaim.closedAt}. */
  readonly closedAt?: number | undefined;
}

/** What a request with an idempotency key claims. */
export interface IdempotencyClaim {
  readonly keyHash: string;
  readonly fingerprint: string;
  readonly expiresAt: number;
  /** Set where the caller has sent no key: what is claimed is a key of the request's own. */
  readonly adoption?: AdoptionClaim | undefined;
}

/** What a request without a key claims. Equal requests share the keys, one a running call. */
export interface AdoptionClaim {
  /** The keys in which an earlier equal request may be, where this one repeats it; else none. */
  readonly earlier: readonly string[];
  /** Whether the request would wait for one of these that still runs. */
  readonly mayWait: boolean;
}
