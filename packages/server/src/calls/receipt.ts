import type { CallError } from './model/call-error.ts';
import type { StreamEnding } from './model/call-stream.ts';
import type { KeyOutcome } from './model/result.ts';

export interface CallEnding {
  readonly isKeyed: boolean;
  readonly code: string;
  readonly keyOutcome: KeyOutcome;
  readonly isAdoptable: boolean;
  readonly early: CallError | undefined;
  readonly followers: number;
  readonly stream: StreamEnding | undefined;
}

export interface Receipt {
  /** Delivered whole, or collectable with the caller's own key. */
  readonly isReceived: boolean;
  /**
   * Stored only for a retry without a key, which then pays. False where a part was delivered and is
   * paid as such.
   */
  readonly isUnclaimed: boolean;
  /** Of a stream without a good end; undefined for none. */
  readonly deliveredBytes: number | undefined;
}

/**
 * A user pays for a response that was delivered or stays collectable with its idempotency key. One
 * that no request can get any more is charged to the app only.
 */
export function receiptOf(ending: CallEnding): Receipt {
  const { code, isKeyed, keyOutcome, isAdoptable, early, followers, stream } = ending;
  const isStored = isKeyed && keyOutcome === 'answered';
  const isFollowed = followers > 0 || stream?.isFollowed === true;
  const isHad = early === undefined || isFollowed || isStored;
  // Of a keyed stream that its caller has left, the whole is collected, or nothing is.
  const isLost = isKeyed && stream?.isLeft === true && !isFollowed && !isStored;
  const deliveredBytes = stream === undefined || isLost ? undefined : paidBytesOf(stream, code);
  const isUnclaimed = isAdoptable && deliveredBytes === undefined;
  const isUsable = code === 'OK' || code === 'TRUNCATED';
  return { isReceived: isUsable && (isHad || isUnclaimed), isUnclaimed, deliveredBytes };
}

function paidBytesOf(stream: StreamEnding, ownCode: string): number | undefined {
  if (stream.deliveredBytes === 0) return undefined;
  const isPaid = stream.isPaidAsDelivered || ownCode === 'BAD_OUTPUT';
  return isPaid ? stream.deliveredBytes : undefined;
}
