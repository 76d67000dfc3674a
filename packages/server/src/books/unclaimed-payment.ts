/**
 * What a wallet still holds for a result that is stored for a retry without a key: who takes it up
 * pays. Once it was taken up it holds nothing, and stays until its time is over.
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
  /** The call that the retry would have been. */
  readonly claimedBy: string | undefined;
}

/** Takes up the result that a call without a key has left for its retry, and pays for it. */
export interface Collect {
  readonly kind: 'collect';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string | undefined;
  readonly month: string | undefined;
  readonly keyHash: string;
  /** The call that the retry would have been: its own collection may come again. */
  readonly claimedBy: string;
  /** The stored result cannot be read: it is forgotten, and no wallet pays. */
  readonly isUnreadable?: true;
  /** By the time that idempotency keys live by. */
  readonly now: number;
}

/** Gives a wallet back what it holds for a result that no retry has taken up in time. */
export interface Release {
  readonly kind: 'release';
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly userId: string;
  readonly month: string;
  /** By the time that idempotency keys live by. */
  readonly now: number;
}
