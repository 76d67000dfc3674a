import type { Shares } from '../../domain/shares.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Count } from '../../lib/count.ts';
import { type Attendance, createAttendance } from './attendance.ts';
import { isFairShare, isWithinPart } from './fair-share.ts';

/** Counted one by one. ADR 0030. */
export interface FairParts {
  readonly max: number;
  readonly free: () => number;
  readonly attendance: Attendance;
  /** A part is reserved for enabled apps that have none. */
  readonly enabledApps: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Nothing is evicted, so a sole app leaves a tenth more to others. ADR 0109. */
  readonly isHeldLong: boolean;
}

export interface Situation {
  readonly nowMs: number;
  readonly absent: number;
  readonly apps: number;
}

export interface FairRules {
  look(app: string): Situation;
  mayTake(app: string, situation: Situation): boolean;
}

/** Rules 1 to 4 of ADR 0030. */
export function createFairRules(parts: FairParts): FairRules {
  const { max, free, attendance, enabledApps, clock, isHeldLong } = parts;
  const tenth = Math.floor(max / 10);
  // 60 %, and one at least.
  const shareMax = Math.max(1, Math.floor((max * 3) / 5));
  return { look, mayTake };

  function look(app: string): Situation {
    const nowMs = clock.monotonic();
    // Apps that have nothing may come at any time.
    const absent = Math.max(0, enabledApps() - attendance.count());
    return { nowMs, absent, apps: attendance.sharing(app, nowMs) };
  }

  function mayTake(app: string, { nowMs, absent, apps }: Situation): boolean {
    const { requests: has } = attendance.of(app);
    const keptMore = isHeldLong && apps <= 1 && absent > 0 ? tenth : 0;
    const kept = Math.min(absent, tenth) + keptMore;
    const othersLack = attendance.othersLack(app, nowMs);
    const share = { has, more: 1, free: free(), total: max, kept, apps, othersLack };
    const isAboveMax = has >= shareMax && attendance.othersWant(app, nowMs);
    if (!isAboveMax && isFairShare(share)) return true;
    attendance.refuse(app, isWithinPart(share), nowMs);
    return false;
  }
}

export interface SharesParts extends Pick<FairParts, 'max' | 'enabledApps' | 'clock'> {
  readonly counted: Count;
  readonly attendance?: Attendance;
}

export function createShares(parts: SharesParts): Shares {
  const { max, enabledApps, clock, counted, attendance = createAttendance() } = parts;
  const free = () => max - counted.others - counted.own;
  const rules = createFairRules({
    ...{ max, free, attendance, enabledApps, clock, isHeldLong: true },
  });
  return {
    isFull(app) {
      // An app that has nothing is given its first whatever the others want.
      if (attendance.of(app).requests === 0 && free() > 0) return false;
      return !rules.mayTake(app, rules.look(app));
    },
    take(app) {
      if (!counted.take(max)) return false;
      attendance.enter(app);
      return true;
    },
    leave(app) {
      counted.own -= 1;
      attendance.leave(app, clock.monotonic());
    },
  };
}
