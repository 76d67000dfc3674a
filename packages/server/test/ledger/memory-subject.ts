import { createBook, type LoadedRows } from '../../src/books/book.ts';
import type { Changes } from '../../src/books/changes.ts';
import type { decide } from '../../src/books/decide.ts';
import { instancesSince } from '../../src/books/instance.ts';
import { lockedKeysOf } from '../../src/books/locked-keys.ts';
import type { Operation } from '../../src/books/operations.ts';
import type { Tokens, UsageDay } from '../../src/books/rows.ts';
import { scopeKeyOf } from '../../src/books/scope.ts';
import type { OperationResult } from '../../src/store/port/port.ts';
import { inKeyOrder, type LedgerRows } from '../conformance/ledger-rows.ts';
import type { Subject } from '../conformance/subject.ts';

/** The function by which the core decides an operation on a book. */
export type Decide = typeof decide;

/** The core over rows in memory: every row is loaded for every batch. */
export function createMemorySubject(decideOn: Decide): Subject {
  const caps = new Map<string, bigint | undefined>();
  const instances = new Map<string, number>();
  let budgetsRevision = 0n;
  let rows: LedgerRows = {
    budgets: [],
    scopes: [],
    wallets: [],
    topups: [],
    entries: [],
    holds: [],
    calls: [],
    attempts: [],
    usage: [],
    idempotency: [],
    answers: [],
    results: [],
    unclaimed: [],
  };
  return {
    instancesGoByTime: true,
    async setCap({ app, cap, today }) {
      caps.set(app, cap);
      const budgets = rows.budgets.map((row) =>
        row.app === app && row.day >= today ? { ...row, cap } : row,
      );
      rows = { ...rows, budgets };
    },
    async setScope({ scope, cap, mode }) {
      const scopes = rows.scopes.map((row) => (row.scope === scope ? { ...row, cap, mode } : row));
      rows = { ...rows, scopes };
      budgetsRevision += 1n;
    },
    seen: async (instanceId, at) => void instances.set(instanceId, at),
    commit: async (batch) => commit(batch),
    rows: async () => inKeyOrder(rows),
    breaches: async () => [],
  };

  function commit(batch: readonly Operation[]): readonly OperationResult[] {
    try {
      return commitTogether(batch);
    } catch (error) {
      if (batch.length === 1) return [{ ok: false, kind: 'invalid', error: String(error) }];
      return batch.flatMap((operation) => commit([operation]));
    }
  }

  function commitTogether(batch: readonly Operation[]): readonly OperationResult[] {
    const made = withMadeRows(batch);
    const book = createBook(loaded(made, instancesSince(batch)));
    const results = batch.map((operation) => {
      return { ok: true as const, outcome: decideOn(book, operation) };
    });
    const changes = book.changes();
    if (Object.values(changes).some((changed) => changed.length > 0)) rows = changed(made, changes);
    return results;
  }

  /** The rows that the operations need, as a store creates them. */
  function withMadeRows(batch: readonly Operation[]): LedgerRows {
    const lockedKeys = lockedKeysOf(batch);
    const none = { spent: 0n, held: 0n };
    const budgets = lockedKeys.budgets.map(({ app, day }) => {
      const more = { admittedCap: undefined, estimated: 0n, overrun: 0n };
      return { app, day, cap: caps.get(app), ...none, ...more };
    });
    const scopes = lockedKeys.scopes
      .filter(({ revision }) => revision === budgetsRevision)
      .map(({ revision, closedAt, ...claim }) => ({ ...claim, ...newScope }));
    const wallets = lockedKeys.wallets.flatMap(({ created, ...key }) => {
      if (created === undefined) return [];
      const { granted, picoUsdPerCredit } = created;
      const amounts = { spentGrant: 0n, spentTopup: 0n, heldGrant: 0n };
      return [{ ...key, granted, picoUsdPerCredit, ...amounts }];
    });
    const topups = lockedKeys.topups.map((key) => ({ ...key, added: 0n, ...none }));
    return {
      ...rows,
      budgets: merged(budgets, rows.budgets, budgetKey),
      scopes: merged(scopes, rows.scopes, scopeKeyOf),
      wallets: merged(wallets, rows.wallets, walletKey),
      topups: merged(topups, rows.topups, topupKey),
    };
  }

  function loaded(made: LedgerRows, since: number): LoadedRows {
    // The core changes rows in place, so it gets copies.
    const copies = <Row extends object>(list: readonly Row[]) => list.map((row) => ({ ...row }));
    return {
      budgets: copies(made.budgets),
      scopes: copies(made.scopes),
      members: [],
      budgetsRevision,
      wallets: copies(made.wallets),
      topups: copies(made.topups),
      holds: copies(made.holds),
      calls: copies(made.calls),
      attempts: copies(made.attempts),
      idempotency: copies(made.idempotency),
      entries: copies(made.entries),
      unclaimed: copies(made.unclaimed),
      liveInstances: new Set(
        [...instances].filter(([, at]) => at > since).map(([instanceId]) => instanceId),
      ),
    };
  }
}

function changed(rows: LedgerRows, changes: Changes): LedgerRows {
  const ended = new Set(changes.holdsEnded);
  const removed = new Set(changes.idempotencyRemoved.map(keyKey));
  const holds = [...changes.holdsStarted, ...changes.holdsChanged];
  const calls = [...changes.callsAdded, ...changes.callsReplaced];
  const attempts = [...changes.attemptsAdded, ...changes.attemptsChanged];
  const unclaimed = [...changes.unclaimedAdded, ...changes.unclaimedChanged];
  return {
    budgets: merged(rows.budgets, changes.budgets, budgetKey),
    scopes: merged(rows.scopes, changes.scopes, scopeKeyOf),
    wallets: merged(rows.wallets, changes.wallets, walletKey),
    topups: merged(rows.topups, changes.topups, topupKey),
    entries: [...rows.entries, ...changes.entries],
    holds: merged(rows.holds, holds, callKey).filter(({ callId }) => !ended.has(callId)),
    calls: merged(rows.calls, calls.map(asRead), callKey),
    attempts: merged(rows.attempts, attempts.map(asRead), attemptKey),
    usage: changes.usage.reduce(withUsage, rows.usage),
    idempotency: merged(rows.idempotency, changes.idempotency, keyKey).filter(
      (row) => !removed.has(keyKey(row)),
    ),
    answers: merged(rows.answers, changes.answers, callKey),
    results: [...rows.results, ...changes.results],
    unclaimed: merged(rows.unclaimed, unclaimed, callKey).filter(
      ({ callId }) => !changes.unclaimedEnded.includes(callId),
    ),
  };
}

const newScope = {
  ...{ admittedCap: undefined, brought: 0n, pruned: 0n, spent: 0n, held: 0n },
  ...{ estimated: 0n, overrun: 0n, wouldRefuse: 0n, wouldRefuseAmount: 0n },
};

const budgetKey = (row: { app: string; day: string }) => `${row.app}\n${row.day}`;
const walletKey = (row: { app: string; userId: string; month: string }) =>
  `${row.app}\n${row.userId}\n${row.month}`;
const topupKey = (row: { app: string; userId: string }) => `${row.app}\n${row.userId}`;
const callKey = (row: { callId: string }) => row.callId;
const attemptKey = (row: { callId: string; n: number }) => `${row.callId}\n${row.n}`;
const keyKey = (row: { app: string; keyHash: string }) => `${row.app}\n${row.keyHash}`;

/** Rows by their key. The second list takes precedence. */
function merged<Row>(
  first: readonly Row[],
  second: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  return [...new Map([...first, ...second].map((row) => [keyOf(row), row])).values()];
}

const noUsage = {
  ...{ calls: 0, errors: 0, unpricedCalls: 0, cost: 0n, estimated: 0n },
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0 },
};

/** The stored value where a count was not given. */
function asRead<Row extends { readonly tokens: Tokens }>(row: Row): Row {
  const { cacheWrite1hInputTokens } = row.tokens;
  return { ...row, tokens: { ...row.tokens, cacheWrite1hInputTokens } };
}

function withUsage(usage: readonly UsageDay[], delta: UsageDay): readonly UsageDay[] {
  const isOf = (row: UsageDay) =>
    row.app === delta.app && row.day === delta.day && row.model === delta.model;
  const { app, day, model } = delta;
  const known = usage.find(isOf) ?? { app, day, model, ...noUsage };
  const sum: UsageDay = {
    ...known,
    calls: known.calls + delta.calls,
    errors: known.errors + delta.errors,
    inputTokens: known.inputTokens + delta.inputTokens,
    cachedInputTokens: known.cachedInputTokens + delta.cachedInputTokens,
    cacheWriteInputTokens: known.cacheWriteInputTokens + delta.cacheWriteInputTokens,
    outputTokens: known.outputTokens + delta.outputTokens,
    reasoningTokens: known.reasoningTokens + delta.reasoningTokens,
    cost: known.cost + delta.cost,
    estimated: known.estimated + delta.estimated,
    unpricedCalls: known.unpricedCalls + delta.unpricedCalls,
  };
  return [...usage.filter((row) => row !== known), sum];
}
