import { firstCallIdAt } from '../lib/id.ts';
import type { Store } from '../store/port.ts';
import {
  type ReadSums,
  type SumsOf,
  selectClosedSums,
  selectPrunedSums,
} from '../store/sums/report-sums.ts';

/** Told what a job is at. */
export type Progress = (what: string) => void;

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** Ids are made by the clocks of many processes, which may differ. */
const idSlackMs = dayMs;

/**
 * What calls before an id were when their hours were closed, from the records and, first, from what
 * is left of those that are gone; hour by hour, so that no reading takes long.
 */
export async function closedParts(
  store: Pick<Store, 'read'>,
  wanted: SumsOf,
  closedUntil: string,
  progress: Progress,
): Promise<readonly ReadSums[]> {
  const parts = [await store.read(selectPrunedSums(wanted))];
  const endMs = Date.parse(wanted.to) + 2 * idSlackMs;
  for (let at = Date.parse(wanted.from) - idSlackMs; at < endMs; at += hourMs) {
    const after = firstCallIdAt(at);
    if (after >= closedUntil) break;
    const next = firstCallIdAt(at + hourMs);
    const until = next < closedUntil ? next : closedUntil;
    parts.push(await store.read(selectClosedSums(wanted, { after, until })));
    if (at % dayMs === 0) progress(`records of ${new Date(at).toISOString().slice(0, 10)}`);
  }
  return parts;
}
