/**
 * The wallet's reservation for a result stored for a retry without a key; the request that collects
 * it pays. Once collected, it reserves nothing and remains until it expires.
 */
export interface UnclaimedPayment {
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string;
  readonly month: string;
  readonly grantHeld: bigint;
  readonly topupHeld: bigint;
  readonly cost: bigint;
  readonly expiresAt: number;
  readonly claimedBy: string | undefined;
}

export interface Collect {
  readonly kind: 'collect';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string | undefined;
  readonly month: string | undefined;
  readonly keyHash: string;
  /** The call that the retry would have been. Its collection may be repeated. */
  readonly claimedBy: string;
  /** The stored result cannot be read: it is discarded, and no wallet pays. */
  readonly isUnreadable?: true;
  /** By the clock of idempotency keys. */
  readonly now: number;
}

export interface Release {
  readonly kind: 'release';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string;
  readonly month: string;
  /** By the clock of idempotency keys. */
  readonly now: number;
}
