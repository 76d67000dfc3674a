import { type Doubt, estimateReasons } from '../domain/doubt.ts';
import type { Log } from '../lib/log.ts';

/** Logs what platforms reported that makes costs estimates. */
export type WarnOfDoubts = (platform: string, doubts: readonly Doubt[]) => void;

/** Names of a platform's fields that are logged; all more of them are `other`. */
const namesMax = 20;

/** One warning for each platform and field, since a platform may report it with every call. */
export function createDoubtWarnings(log: Log): WarnOfDoubts {
  const warned = new Map<string, Set<string>>();
  return (platform, doubts) => {
    const names = warned.get(platform) ?? new Set();
    warned.set(platform, names);
    for (const doubt of doubts) {
      const isNew = names.size < namesMax && !names.has(doubt.name);
      const name = isNew || names.has(doubt.name) ? doubt.name : 'other';
      if (names.has(name)) continue;
      names.add(name);
      const { reason } = doubt;
      const line = { platform, field: name, reason };
      log.warn(line, `a cost was booked as an estimate: ${estimateReasons[reason]}`);
    }
  };
}
