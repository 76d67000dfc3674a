import { firstCallIdAt } from '../../lib/id.ts';
import type { Store } from '../../store/port/port.ts';
import {
  type ReadSums,
  type SumsOf,
  selectClosedSums,
  selectEnds,
  selectPrunedSums,
} from '../../store/sums/report-sums.ts';

export type Progress = (step: string) => void;

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** Process clocks may differ. */
const idSlackMs = dayMs;

/**
 * Reads calls as they were when their hours closed, first from the remains of deleted records. Each
 * read covers one hour, to be short. Skips hours before the first call and after the last.
 */
export async function closedParts(
  store: Pick<Store, 'read'>,
  query: SumsOf,
  closedUntil: string,
  progress: Progress,
): Promise<readonly ReadSums[]> {
  const parts = [await store.read(selectPrunedSums(query))];
  for await (const { hour, isNewDay, day } of hoursWithCalls(store, query, closedUntil)) {
    parts.push(await store.read(selectClosedSums(query, hour)));
    if (isNewDay) progress(`records of ${day}`);
  }
  return parts;
}

/** `after` is included, `until` is not. */
export interface CallHour {
  readonly hour: { readonly after: string; readonly until: string };
  readonly day: string;
  readonly isNewDay: boolean;
}

/** Yields hours that may have calls of these days, before an id. */
export async function* hoursWithCalls(
  store: Pick<Store, 'read'>,
  { from, to }: Pick<SumsOf, 'from' | 'to'>,
  endId?: string,
): AsyncGenerator<CallHour> {
  const startMs = Date.parse(from) - idSlackMs;
  const endMs = Date.parse(to) + 2 * idSlackMs;
  const lastId = firstCallIdAt(endMs);
  const until = endId === undefined ? lastId : earlier(lastId, endId);
  const ends = await store.read(selectEnds({ after: firstCallIdAt(startMs), until }));
  if (ends === undefined) return;
  for (let at = startMs; at < endMs; at += hourMs) {
    const hour = { after: firstCallIdAt(at), until: earlier(firstCallIdAt(at + hourMs), until) };
    if (hour.until <= ends.first) continue;
    if (hour.after > ends.last) return;
    yield { hour, day: new Date(at).toISOString().slice(0, 10), isNewDay: at % dayMs === 0 };
  }
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}
