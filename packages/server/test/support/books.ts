import { projectIdOf, type Simulator } from '@model-gateway/simulator';
import { expect } from 'vitest';
import type { BudgetDay, CallRecord, UsageDay } from '../../src/books/rows.ts';
import { type Clock, utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { attemptsOf } from '../../src/operations/calls/call-attempts.ts';
import { attemptDocument } from '../../src/operations/calls/call-document.ts';
import type { AttemptDocument } from '../../src/operations/documents/calls.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudget, selectUsage } from '../../src/store/queries/ledger.ts';
import * as tables from '../../src/store/schema/tables.ts';

/** The expected ledger rows of one admitted call. */
export interface ExpectedCall {
  /** `OK`, or the code of its response. */
  readonly code: string;
  readonly basis: CallRecord['basis'];
  readonly costUsd: string;
  /** The part of the cost that is an estimate. */
  readonly estimatedUsd?: string;
  readonly attempts: readonly string[];
}

/** A call with one successful attempt, paid by the platform's own counts. */
export function paid(costUsd: string, code = 'OK'): ExpectedCall {
  return { code, basis: 'exact', costUsd, attempts: ['answered'] };
}

/** A call that the platform did not bill, after some attempts. */
export function unbilled(code: string, attempts = 1): ExpectedCall {
  return { code, basis: 'free', costUsd: '0', attempts: Array(attempts).fill(code) };
}

/** The expected ledger and bill of an app for a day. */
export interface ExpectedBooks {
  readonly calls: readonly ExpectedCall[];
  /** The simulator's bill for the app's own project. */
  readonly billedUsd: string;
  /** Today by the clock, by default. */
  readonly day?: string;
}

/** The parts of a stack with the ledger. */
export interface BooksOf {
  readonly store: Store;
  readonly clock: Clock;
  readonly simulator: Pick<Simulator, 'bill'>;
}

/**
 * Checks records, rollup, budget, reservations, bill and audit of an app without running calls.
 * Nothing is reserved, and day and rollup are the sums of the calls.
 */
export async function expectBooks(of: BooksOf, app: string, expected: ExpectedBooks) {
  const day = expected.day ?? utcDayOf(of.clock.now());
  const calls = await readCalls(of.store, app, day);
  const booked = await Promise.all(calls.map((call) => bookedCall(of.store, call)));
  expect(booked).toEqual(expected.calls.map(withDefaults));
  expectSums(calls, {
    budget: await of.store.read(selectBudget(app, day)),
    usage: await of.store.read(selectUsage(app, day)),
  });
  expect(await heldBy(of.store, app)).toBe(0);
  expect(billedUsd(of, app)).toBe(expected.billedUsd);
  await expectClean(of);
}

/** Checks that the ledger's invariants hold, and that no call was billed to a shared project. */
export async function expectClean({ store, clock, simulator }: BooksOf) {
  const report = await audit(store, clock.now());
  expect(report.checks.filter((check) => !check.ok)).toEqual([]);
  expect(simulator.bill().missingProjectCalls).toBe(0);
}

/** The records of an app's calls of a day, in the order in which they were admitted. */
export function readCalls(store: Store, app: string, day: string): Promise<readonly CallRecord[]> {
  return store.read({
    sql: 'select * from call where app = $1 and day = $2 order by started_at, call_id',
    values: [app, day],
    map: (rows) => rows.map(tables.calls.read),
  });
}

/** The attempts of a call; none for an unknown call. */
export async function readAttempts(
  store: Store,
  call: CallRecord | undefined,
): Promise<readonly AttemptDocument[]> {
  return call === undefined ? [] : (await attemptsOf(store, call)).map(attemptDocument);
}

/** The number of open reservations of an app. */
export function heldBy(store: Store, app: string): Promise<number> {
  return store.read({
    sql: 'select call_id from hold where app = $1',
    values: [app],
    map: (rows) => rows.length,
  });
}

/** The simulator's bill for the project of an app of the company acme. */
export function billedUsd({ simulator }: Pick<BooksOf, 'simulator'>, app: string): string {
  const projectId = projectIdOf(`prod-acme-core-${app}`);
  const project = simulator.bill().projects.find((row) => row.projectId === projectId);
  return formatUsd(project?.costPicoUsd ?? 0n);
}

function withDefaults(call: ExpectedCall) {
  return { estimatedUsd: '0', ...call };
}

async function bookedCall(store: Store, call: CallRecord) {
  const { code, basis, cost, estimated } = call;
  const attempts = await readAttempts(store, call);
  return {
    ...{ code, basis },
    costUsd: formatUsd(cost),
    estimatedUsd: formatUsd(estimated),
    attempts: attempts.map((attempt) => attempt.outcome),
  };
}

function expectSums(
  calls: readonly CallRecord[],
  rows: { readonly budget: BudgetDay | undefined; readonly usage: readonly UsageDay[] },
) {
  const { budget, usage } = rows;
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const cost = sum(calls.map((call) => call.cost));
  const estimated = sum(calls.map((call) => call.estimated));
  expect(budget?.held ?? 0n).toBe(0n);
  expect(budget?.spent ?? 0n).toBe(cost);
  expect(budget?.estimated ?? 0n).toBe(estimated);
  expect(sum(usage.map((row) => row.cost))).toBe(cost);
  expect(sum(usage.map((row) => row.estimated))).toBe(estimated);
  const count = (pick: (row: UsageDay) => number) =>
    usage.reduce((total, row) => total + pick(row), 0);
  expect(count((row) => row.calls)).toBe(calls.length);
  expect(count((row) => row.errors)).toBe(calls.filter((call) => call.code !== 'OK').length);
}
