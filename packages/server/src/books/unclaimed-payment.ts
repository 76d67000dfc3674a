/**
 * The wallet's hold for a result stored for a retry without a key: who takes it up pays. Taken up,
 * it holds nothing and stays until its time is over.
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
  /** The call the retry would have been: its own collection may come again. */
  readonly claimedBy: string;
  /** The stored result cannot be read: it is forgotten, and no wallet pays. */
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
