import { firstCallIdAt } from '../lib/id.ts';
import type { Store } from '../store/port.ts';
import {
  type ReadSums,
  type SumsOf,
  selectClosedSums,
  selectEnds,
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
 * is left of those that are gone; hour by hour, so that no reading takes long. Hours before the
 * first call and after the last one are not read.
 */
export async function closedParts(
  store: Pick<Store, 'read'>,
  wanted: SumsOf,
  closedUntil: string,
  progress: Progress,
): Promise<readonly ReadSums[]> {
  const parts = [await store.read(selectPrunedSums(wanted))];
  const startMs = Date.parse(wanted.from) - idSlackMs;
  const endMs = Date.parse(wanted.to) + 2 * idSlackMs;
  const until = earlier(firstCallIdAt(endMs), closedUntil);
  const ends = await store.read(selectEnds({ after: firstCallIdAt(startMs), until }));
  if (ends === undefined) return parts;
  for (let at = startMs; at < endMs; at += hourMs) {
    const hour = { after: firstCallIdAt(at), until: earlier(firstCallIdAt(at + hourMs), until) };
    if (hour.until <= ends.first) continue;
    if (hour.after > ends.last) break;
    parts.push(await store.read(selectClosedSums(wanted, hour)));
    if (at % dayMs === 0) progress(`records of ${new Date(at).toISOString().slice(0, 10)}`);
  }
  return parts;
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}
