import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import type { BudgetDay } from '../../src/books/rows.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf } from '../../src/lib/clock.ts';
import type { OperationResult } from '../../src/store/port/port.ts';
import { expectInvariants, expectTrueRefusal, expectWithinCap } from '../conformance/invariants.ts';
import type { LedgerRows } from '../conformance/ledger-rows.ts';
import type { ScopeChange, Subject } from '../conformance/subject.ts';
import { createOracle, type Oracle, type Verdict } from './oracle.ts';
import { apps, runOf, type Step } from './steps.ts';
import { type Budgets, createWishes } from './wishes.ts';

/** 10 s before a midnight that ends a month. */
const startMs = Date.UTC(2026, 10, 30, 23, 59, 50);

const firstCaps = { search: 100n, tutor: 150n } as const;

/**
 * The promise, for any operations in any order and batches: the ledger has the results and the rows
 * of the oracle. It keeps its invariants after every batch.
 */
export function ledgerProperty(
  open: () => Promise<Subject>,
  stepsMax: number,
): fc.IAsyncProperty<[readonly Step[]]> {
  return fc.asyncProperty(runOf(stepsMax), async (steps) => {
    const subject = await open();
    const oracle = createOracle(subject);
    const run = createRun(subject, oracle);
    await run.begin();
    for (const step of steps) await run.take(step);
  });
}

function createRun(subject: Subject, oracle: Oracle) {
  const wishes = createWishes();
  let now = startMs;
  let before: LedgerRows = oracle.rows();
  let budgets: Budgets = { revision: 0n, caps: new Map() };
  return {
    async begin() {
      for (const app of apps) await setCap(app, firstCaps[app]);
    },
    take,
  };

  async function take(step: Step) {
    switch (step.kind) {
      case 'clock':
        now = moved(now, step.move);
        return;
      case 'cap':
        return setCap(step.app, step.cap);
      case 'scope':
        return setScope(step);
      case 'seen':
        oracle.seen(step.instanceId, now);
        return subject.seen(step.instanceId, now);
      case 'batch': {
        const { calls, attempts } = before;
        const costOf = (callId: string) => calls.find((row) => row.callId === callId)?.cost;
        const attemptsOf = (callId: string) => attempts.filter((row) => row.callId === callId);
        const known = { open: oracle.openCalls(), costOf, attemptsOf };
        const moment = { now, instanceId: step.instanceId, budgets, ...known };
        const batch = step.wishes.flatMap((wish) => wishes.grant(wish, moment) ?? []);
        if (batch.length > 0) await commit(batch);
      }
    }
  }

  async function setCap(app: string, cap: bigint | undefined) {
    const change = { app, cap, today: utcDayOf(now) };
    oracle.setCap(change);
    await subject.setCap(change);
    before = oracle.rows();
  }

  async function setScope({ scope, cap, mode }: ScopeChange) {
    const caps = new Map([...budgets.caps, [scope, { cap, mode }]]);
    budgets = { caps, revision: budgets.revision + 1n };
    oracle.setScope({ scope, cap, mode });
    await subject.setScope({ scope, cap, mode });
    before = oracle.rows();
  }

  async function commit(batch: readonly Operation[]) {
    const expected = oracle.commit(batch);
    const results = await subject.commit(batch);
    expectAgreement(results.map(verdictOf), expected, () => `the outcomes of ${shown(batch)}`);
    const rows = await subject.rows();
    expectAgreement(rows, oracle.rows(), () => `the rows after ${shown(batch)}`);
    expectMomentary(batch, results, rows);
    expectInvariants(rows);
    expect(await subject.breaches(), `the audit after ${shown(batch)}`).toEqual([]);
    before = rows;
  }

  /** The invariants at the time of a decision: I1, I11 and I12. */
  function expectMomentary(
    batch: readonly Operation[],
    results: readonly OperationResult[],
    rows: LedgerRows,
  ) {
    for (const [index, operation] of batch.entries()) {
      const result = results[index];
      if (result?.ok !== true) continue;
      const isPriced = operation.kind !== 'reserve' || operation.facts.priceVersion !== undefined;
      expectTrueRefusal(result.outcome, isPriced);
      if (result.outcome.kind === 'reserved' || result.outcome.kind === 'extended') {
        const day = dayOf(rows, operation);
        if (day !== undefined && hasGrown(before, day)) expectWithinCap(day);
      }
    }
    for (const { callId, day, month } of before.holds) {
      const ended = rows.calls.find((call) => call.callId === callId);
      if (ended !== undefined) expect([ended.day, ended.month], 'I11').toEqual([day, month]);
    }
  }
}

function dayOf(rows: LedgerRows, operation: Operation): BudgetDay | undefined {
  if (operation.kind !== 'reserve' && operation.kind !== 'extend') return undefined;
  const { app, day } = operation.kind === 'reserve' ? operation.facts : operation;
  return rows.budgets.find((row) => row.app === app && row.day === day);
}

/** A repeat of an earlier admission reserves nothing, so it does not count as an admission. */
function hasGrown(before: LedgerRows, { app, day, held }: BudgetDay): boolean {
  const known = before.budgets.find((row) => row.app === app && row.day === day);
  return held > (known?.held ?? 0n);
}

function moved(now: number, move: Extract<Step, { kind: 'clock' }>['move']): number {
  switch (move) {
    case 'tick':
      return now + 1_000;
    case 'pause':
      return now + 11_000;
    case 'hour':
      return now + 3_600_000;
    case 'day':
      return now + 86_400_000;
    case 'to-midnight':
      return nextUtcDayMs(now) - 1;
    case 'to-month-end':
      return nextUtcMonthMs(now) - 1;
    case 'back':
      return now - 3_600_000;
  }
}

function verdictOf(result: OperationResult): Verdict | { readonly ok: false; kind: string } {
  if (result.ok) return result;
  return result.kind === 'invalid' ? { ok: false } : { ok: false, kind: result.kind };
}

function expectAgreement(actual: unknown, expected: unknown, what: () => string) {
  // The slow comparison, with its report, runs only on a difference.
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what()).toStrictEqual(expected);
}

function shown(batch: readonly Operation[]): string {
  return inspect(batch, { depth: 4, breakLength: 100 });
}
