import { formatUsd } from '../../lib/money.ts';
import type { StatRow } from '../../store/queries/call-stats.ts';
import type { CallStats } from '../documents/calls-pages.ts';

export interface StatSums {
  add(rows: readonly StatRow[]): void;
  document(range: StatRange): CallStats;
}

interface StatRange {
  readonly since: number;
  readonly until: number;
  readonly sliceMs: number;
  readonly searchedBackTo: number | undefined;
}

interface CallCounts {
  calls: number;
  errors: number;
}

interface Group extends CallCounts {
  cost: bigint;
  /** The number of calls by duration in milliseconds. */
  readonly took: Map<number, number>;
  readonly first: Map<number, number>;
}

const groupsMax = 20;

export function createStatSums(): StatSums {
  const all = newGroup();
  const byApp = new Map<string, Group>();
  const byModel = new Map<string, Group>();
  const byStart = new Map<number, CallCounts>();
  return {
    add(rows) {
      for (const row of rows) {
        addTo(all, row);
        addTo(entryOf(byApp, row.app, newGroup), row);
        addTo(entryOf(byModel, row.model, newGroup), row);
        if (row.kind === 'slice') count(entryOf(byStart, row.value, noCalls), row);
      }
    },
    document(range) {
      const { since, until, sliceMs, searchedBackTo } = range;
      const { calls, errors, cost, took, first } = all;
      return {
        ...{ calls, errors, costUsd: formatUsd(cost) },
        ...{ tookMs: percentilesOf(took), firstMs: percentilesOf(first) },
        ...{ since: isoOf(since), until: isoOf(until), sliceMs },
        slices: slicesOf(byStart, range),
        ...{ byApp: largestOf(byApp), byModel: largestOf(byModel) },
        searchedBackTo: searchedBackTo === undefined ? null : isoOf(searchedBackTo),
      };
    },
  };
}

function newGroup(): Group {
  return { ...noCalls(), cost: 0n, took: new Map(), first: new Map() };
}

function noCalls(): CallCounts {
  return { calls: 0, errors: 0 };
}

function entryOf<Key, Entry>(entries: Map<Key, Entry>, key: Key, make: () => Entry): Entry {
  const entry = entries.get(key) ?? make();
  entries.set(key, entry);
  return entry;
}

function count(counted: CallCounts, { calls, errors }: StatRow) {
  counted.calls += calls;
  counted.errors += errors;
}

function addTo(group: Group, row: StatRow) {
  if (row.kind === 'slice') {
    count(group, row);
    group.cost += row.cost;
    return;
  }
  const durations = group[row.kind];
  durations.set(row.value, (durations.get(row.value) ?? 0) + row.calls);
}

/** No gaps, and no slices before the searched time. */
function slicesOf(
  byStart: ReadonlyMap<number, CallCounts>,
  { since, until, sliceMs, searchedBackTo = since }: StatRange,
): CallStats['slices'] {
  const first = searchedBackTo - (searchedBackTo % sliceMs);
  const length = Math.ceil((until - first) / sliceMs);
  return Array.from({ length }, (_, index) => {
    const at = first + index * sliceMs;
    const { calls, errors } = byStart.get(at) ?? noCalls();
    return { at: isoOf(at), calls, errors };
  });
}

function largestOf(groups: ReadonlyMap<string, Group>): CallStats['byApp'] {
  return [...groups]
    .toSorted(([a, one], [b, other]) => other.calls - one.calls || (a < b ? -1 : 1))
    .slice(0, groupsMax)
    .map(([name, { calls, errors, cost, took, first }]) => ({
      ...{ name, calls, errors, costUsd: formatUsd(cost) },
      ...{ tookMs: percentilesOf(took) ?? none, firstMs: percentilesOf(first) },
    }));
}

const none = { p50: 0, p95: 0 };

/** Uses the nearest rank, so a call has each value; null without calls. */
function percentilesOf(durations: ReadonlyMap<number, number>) {
  const sorted = [...durations].toSorted(([a], [b]) => a - b);
  const calls = sorted.reduce((sum, [, n]) => sum + n, 0);
  return calls === 0 ? null : { p50: rankOf(sorted, calls, 50), p95: rankOf(sorted, calls, 95) };
}

function rankOf(
  sorted: readonly (readonly [number, number])[],
  calls: number,
  percent: number,
): number {
  let remaining = Math.ceil((calls * percent) / 100);
  const match = sorted.find(([, n]) => {
    remaining -= n;
    return remaining <= 0;
  });
  return match?.[0] ?? 0;
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
