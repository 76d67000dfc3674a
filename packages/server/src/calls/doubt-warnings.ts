import { type Doubt, estimateReasons, priceReasons } from '../domain/doubt.ts';
import type { Log } from '../lib/log.ts';
import type { Observer } from '../lib/observer.ts';

export type WarnOfDoubts = (platform: string, doubts: readonly Doubt[]) => void;

/** Limit for field names from platforms; others become `other`. */
const namesMax = 20;

/** Once per platform and field, because every call might repeat it. */
export function createDoubtWarnings(
  log: Log,
  observer: Pick<Observer, 'priceMismatched'>,
): WarnOfDoubts {
  const warned = new Map<string, Set<string>>();
  return (platform, doubts) => {
    const names = warned.get(platform) ?? new Set();
    warned.set(platform, names);
    for (const doubt of doubts) {
      const isNew = names.size < namesMax && !names.has(doubt.name);
      const name = isNew || names.has(doubt.name) ? doubt.name : 'other';
      const { reason } = doubt;
      if (priceReasons.has(reason)) observer.priceMismatched?.({ platform, field: name, reason });
      if (names.has(name)) continue;
      names.add(name);
      const line = { platform, field: name, reason };
      log.warn(line, `cost booked as an estimate: ${estimateReasons[reason]}`);
    }
  };
}
