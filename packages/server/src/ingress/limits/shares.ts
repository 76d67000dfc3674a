import type { Shares } from '../../domain/shares.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Count } from '../../lib/count.ts';
import { type ActiveApps, createActiveApps } from './active-apps.ts';
import { isFairShare, isWithinPart } from './fair-share.ts';

/** Counts single permits. ADR 0030. */
export interface FairParts {
  readonly max: number;
  readonly free: () => number;
  readonly activeApps: ActiveApps;
  /** A part is reserved for enabled apps that have none. */
  readonly enabledApps: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Nothing is evicted, so a sole app leaves another tenth to others. ADR 0109. */
  readonly isHeldLong: boolean;
}

export interface Situation {
  readonly nowMs: number;
  readonly absent: number;
  readonly apps: number;
}

export interface FairRules {
  situationOf(app: string): Situation;
  mayTake(app: string, situation: Situation): boolean;
}

/** Rules 1 to 4 of ADR 0030. */
export function createFairRules(parts: FairParts): FairRules {
  const { max, free, activeApps, enabledApps, clock, isHeldLong } = parts;
  const tenth = Math.floor(max / 10);
  // 60 percent, and at least one.
  const shareMax = Math.max(1, Math.floor((max * 3) / 5));
  return { situationOf, mayTake };

  function situationOf(app: string): Situation {
    const nowMs = clock.monotonic();
    // Apps without a permit can send requests at any time.
    const absent = Math.max(0, enabledApps() - activeApps.count());
    return { nowMs, absent, apps: activeApps.sharing(app, nowMs) };
  }

  function mayTake(app: string, { nowMs, absent, apps }: Situation): boolean {
    const { requests: has } = activeApps.of(app);
    const moreReserved = isHeldLong && apps <= 1 && absent > 0 ? tenth : 0;
    const reserved = Math.min(absent, tenth) + moreReserved;
    const areOthersBelowShare = activeApps.areOthersBelowShare(app, nowMs);
    const share = { has, more: 1, free: free(), total: max, reserved, apps, areOthersBelowShare };
    const isAboveMax = has >= shareMax && activeApps.hasCompetingApps(app, nowMs);
    if (!isAboveMax && isFairShare(share)) return true;
    activeApps.refuse(app, isWithinPart(share), nowMs);
    return false;
  }
}

export interface SharesParts extends Pick<FairParts, 'max' | 'enabledApps' | 'clock'> {
  readonly counted: Count;
  readonly activeApps?: ActiveApps;
}

export function createShares(parts: SharesParts): Shares {
  const { max, enabledApps, clock, counted, activeApps = createActiveApps() } = parts;
  const free = () => max - counted.others - counted.own;
  const rules = createFairRules({
    ...{ max, free, activeApps, enabledApps, clock, isHeldLong: true },
  });
  return {
    isFull(app) {
      // An app without a permit gets its first one, whatever the demand of others.
      if (activeApps.of(app).requests === 0 && free() > 0) return false;
      return !rules.mayTake(app, rules.situationOf(app));
    },
    take(app) {
      if (!counted.take(max)) return false;
      activeApps.enter(app);
      return true;
    },
    leave(app) {
      counted.own -= 1;
      activeApps.leave(app, clock.monotonic());
    },
  };
}
