/** What an app asks for of something that all apps share, and what there is of it. */
export interface Share {
  /** What the app has by now. */
  readonly has: number;
  readonly more: number;
  /** What no app has; all there is, taken or not. */
  readonly free: number;
  readonly total: number;
  /** What stays free for apps that have nothing. */
  readonly kept: number;
  /** How many apps share it, this one among them. */
  readonly apps: number;
  /** Whether another app was refused lately although it had less than its equal part. */
  readonly othersLack: boolean;
}

/** Above its equal part an app has at most so many times as much as was free. */
const aboveFreeMax = 3;

/**
 * Whether an app may have more: always when it has nothing, up to an equal part while there is any,
 * and above that as long as enough stays free for those below theirs. So several eager apps
 * together leave room for one that comes after them, and none needs to be put out. ADR 0030.
 */
export function isFairShare(share: Share): boolean {
  const { has, more, free, kept, apps, othersLack } = share;
  if (more > free) return false;
  if (has === 0) return true;
  if (free - more < kept) return false;
  if (apps <= 1 || isWithinPart(share)) return true;
  return !othersLack && has + more <= aboveFreeMax * free;
}

/** Whether with so much more an app has no more than its equal part. */
export function isWithinPart({ has, more, total, apps }: Share): boolean {
  return (has + more) * apps <= total;
}
