import { expect } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createApp } from '../../../src/operations/apps/apps.ts';
import type { AdminContext } from '../../../src/operations/context/context.ts';
import { createAdminContext } from '../../../src/operations/context/context.ts';
import { audit } from '../../../src/store/audit/audit.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { big, int, text } from '../../../src/store/schema/columns.ts';
import { openPostgresStore } from '../../support/postgres-store.ts';
import { type Books, ids } from './load.ts';

/** An operator on a store. */
export function adminOn(store: Store): AdminContext {
  const clock = systemClock;
  return createAdminContext({
    store,
    clock,
    ids,
    company: 'acme',
    adminEmail: undefined,
    actor: 'test',
  });
}

export function openReplica(url: string): Promise<Store> {
  return openPostgresStore({ url, log: silentLog });
}

/** Opens a store and registers apps with a budget. */
export async function openWithApps(
  url: string,
  caps: Readonly<Record<string, bigint | undefined>>,
): Promise<Store> {
  const store = await openReplica(url);
  for (const [name, cap] of Object.entries(caps)) {
    await createApp(adminOn(store), name, { dailyBudgetPicoUsd: cap });
  }
  return store;
}

/** Checks that every confirmed call is in the store once, with its cost, and the audit is clean. */
export async function expectBooked(store: Store, books: Books): Promise<void> {
  const booked = await store.read({
    sql: "select call_id, cost from call where basis = 'exact'",
    values: [],
    map: (rows) => new Map(rows.map((row) => [text(row, 'call_id'), big(row, 'cost')])),
  });
  for (const [callId, cost] of books.settled) expect(booked.get(callId)).toBe(cost);
  expect(booked.size).toBe(books.settled.size);
  const report = await audit(store, systemClock.now());
  expect(report.checks.filter((check) => !check.ok)).toEqual([]);
}

export function openHolds(store: Store): Promise<number> {
  return count(store, 'select count(*) as n from hold');
}

/** The number that a statement counts, as `n`. */
export function count(store: Store, sql: string): Promise<number> {
  return store.read({ sql, values: [], map: ([row]) => (row === undefined ? 0 : int(row, 'n')) });
}
