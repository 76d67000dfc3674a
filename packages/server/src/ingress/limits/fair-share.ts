export interface Share {
  readonly has: number;
  readonly more: number;
  readonly free: number;
  readonly total: number;
  readonly reserved: number;
  /** Including this one. */
  readonly apps: number;
  /** Another app was rejected recently while below its equal share. */
  readonly areOthersBelowShare: boolean;
}

/** Above its share an app may have this multiple of the free amount. */
const aboveFreeMax = 3;

/**
 * True for an app with nothing yet, and up to an equal share while any amount is free. Above it,
 * enough must stay for the apps below. Permits stay free for a newcomer, so none is evicted.
 * ADR 0030.
 */
export function isFairShare(share: Share): boolean {
  const { has, more, free, reserved, apps, areOthersBelowShare } = share;
  if (more > free) return false;
  if (has === 0) return true;
  if (free - more < reserved) return false;
  if (apps <= 1 || isWithinPart(share)) return true;
  return !areOthersBelowShare && has + more <= aboveFreeMax * free;
}

export function isWithinPart({ has, more, total, apps }: Share): boolean {
  return (has + more) * apps <= total;
}
