import { type Clock, every, utcDayOf } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../store/port/port.ts';
import { countRefusals, deleteRefusals } from '../store/queries/refusals.ts';
import { deleteMarks, markHour } from '../store/queries/usage-marks.ts';
import { deleteUsedUp, noteUsedUp, selectUsedUpChanges } from '../store/queries/used-up.ts';
import type { RefusalCounts } from './refusal-counts.ts';

const writeMs = 10_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** A later mark would not show the day's state at its hour. */
const markDelayMaxMs = 120_000;
/** Two weeks show a usual day; rejections are viewed by month. */
const marksRetentionMs = 15 * dayMs;
const refusalsRetentionMs = 35 * dayMs;

/**
 * Writes rejections and used-up budgets every 10 s, and each app's daily total at the turn of the
 * hour. A failed write may be lost, since it contains no booked money.
 */
export function startHourlyWork(parts: {
  readonly store: Pick<Store, 'write' | 'readForOperator'>;
  /** The store's clock, which defines days and hours. */
  readonly clock: Clock;
  readonly log: Log;
  readonly refusals: RefusalCounts;
  readonly registry: Pick<Registry, 'keyOfId' | 'appOf'>;
}): { stop(): Promise<void> } {
  const { store, clock, log, refusals, registry } = parts;
  let marked = Math.floor(clock.now() / hourMs);
  const warn = createRareErrorWarning({ clock, log }, 'rejection counts could not be saved');
  const writing = every(clock, writeMs, write, warn);
  return {
    async stop() {
      await writing.stop();
      const last = countRefusals(refusals.take(appOf));
      if (last.length > 0) await store.write(last).catch(() => undefined);
    },
  };

  async function write() {
    const now = clock.now();
    const hour = Math.floor(now / hourMs);
    const usedUp = await usedUpChanges(now);
    const isNewHour = hour !== marked;
    const marks = isNewHour ? hourlyStatements(now) : [];
    const statements = [...countRefusals(refusals.take(appOf)), ...marks, ...usedUp];
    marked = hour;
    if (statements.length > 0) await store.write(statements);
  }

  async function usedUpChanges(now: number) {
    const day = utcDayOf(now);
    return (await store.readForOperator(selectUsedUpChanges(day))) ? noteUsedUp(day, now) : [];
  }

  function appOf(keyId: string): string | undefined {
    const key = registry.keyOfId(keyId);
    return key === undefined ? undefined : registry.appOf(key)?.name;
  }
}

/** The first hour of a day ends the previous day. */
function hourlyStatements(now: number) {
  const day = utcDayOf(now);
  const hour = Math.floor((now - Date.parse(day)) / hourMs);
  const mark = hour === 0 ? markHour(utcDayOf(now - dayMs), 24) : markHour(day, hour);
  return [
    ...(now % hourMs <= markDelayMaxMs ? [mark] : []),
    deleteRefusals(now - refusalsRetentionMs),
    deleteMarks(utcDayOf(now - marksRetentionMs)),
    deleteUsedUp(utcDayOf(now - marksRetentionMs)),
  ];
}
