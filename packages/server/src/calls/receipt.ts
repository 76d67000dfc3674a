import type { CallFields } from '@model-gateway/contract';
import type { ReservedCall } from './model/call.ts';
import type { CallError } from './model/call-error.ts';
import type { StreamEnding } from './model/call-stream.ts';
import { sentKey } from './model/idempotency-key.ts';
import type { KeyOutcome } from './model/result.ts';

/** How a call stands with its callers when its answer has been read. */
export interface CallEnding {
  /** The code of its own result, whatever its caller has got already. */
  readonly code: string;
  /** What becomes of its key: `answered` where its result is stored. */
  readonly keyOutcome: KeyOutcome;
  /** Whether its result is stored for a retry that takes it up: its caller has sent no key. */
  readonly isAdoptable: boolean;
  /** The error that its caller has got already; undefined where it is still there. */
  readonly early: CallError | undefined;
  /** Requests with the same key that wait for the result in this process. */
  readonly followers: number;
  readonly stream: StreamEnding | undefined;
}

/** What the user received of a call, and so pays for. */
export interface Receipt {
  /** The whole response was delivered, or the caller can still collect it with its own key. */
  readonly isReceived: boolean;
  /**
   * It is stored for a retry without a key only, and that one pays. Not so where a part was
   * delivered, which is paid as such.
   */
  readonly isUnclaimed: boolean;
  /** So many bytes of a stream that had no good end; undefined for none. */
  readonly deliveredBytes: number | undefined;
}

/**
 * The rule of receipt, for every call: a user pays for a response that was delivered, or that its
 * caller can still collect with its own idempotency key. A response that no request can get any
 * more is the app's alone.
 */
export function receiptOf(
  { context }: Pick<ReservedCall<CallFields>, 'context'>,
  { code, keyOutcome, isAdoptable, early, followers, stream }: CallEnding,
): Receipt {
  const isKeyed = sentKey(context) !== undefined;
  const isStored = isKeyed && keyOutcome === 'answered';
  const isFollowed = followers > 0 || stream?.isFollowed === true;
  const isHad = early === undefined || isFollowed || isStored;
  // Of a keyed stream that its caller has left, the whole is collected, or nothing is.
  const isLost = isKeyed && stream?.isLeft === true && !isFollowed && !isStored;
  const deliveredBytes = isLost ? undefined : paidBytesOf(stream, code);
  const isUnclaimed = isAdoptable && deliveredBytes === undefined;
  const isUsable = code === 'OK' || code === 'TRUNCATED';
  return { isReceived: isUsable && (isHad || isUnclaimed), isUnclaimed, deliveredBytes };
}

/** Bytes of a stream that its user pays for although it had no good end; undefined for none. */
function paidBytesOf(stream: StreamEnding | undefined, ownCode: string): number | undefined {
  if (stream === undefined || stream.deliveredBytes === 0) return undefined;
  const isPaid = stream.isPaidAsDelivered || ownCode === 'BAD_OUTPUT';
  return isPaid ? stream.deliveredBytes : undefined;
}
