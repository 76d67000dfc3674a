import type { Attempt, CallRecord, Hold } from './rows.ts';
import type { BudgetMember } from './scope.ts';
import type { UnclaimedPayment } from './unclaimed-payment.ts';

// Sets of rows by kind: the rows that a book has loaded, and its changes.

export function table<Row>(rows: readonly Row[], key: (row: Row) => string) {
  const byKey = new Map(rows.map((row) => [key(row), row]));
  const changed = new Map<string, Row>();
  const removed = new Map<string, Row>();
  return {
    get: (name: string) => byKey.get(name),
    changed: () => [...changed.values()],
    removed: () => [...removed.values()],
    marks: {
      put(row: Row) {
        const name = key(row);
        byKey.set(name, row);
        changed.set(name, row);
        removed.delete(name);
      },
      remove(row: Row) {
        const name = key(row);
        byKey.delete(name);
        changed.delete(name);
        removed.set(name, row);
      },
    },
  };
}

export function createHolds(rows: readonly Hold[]) {
  const open = new Map(rows.map((row) => [row.callId, row]));
  const started = new Map<string, Hold>();
  const changed = new Map<string, Hold>();
  const ended = new Set<string>();
  return {
    get: (callId: string) => open.get(callId),
    start(hold: Hold) {
      open.set(hold.callId, hold);
      started.set(hold.callId, hold);
    },
    change(hold: Hold) {
      if (!started.has(hold.callId)) changed.set(hold.callId, hold);
    },
    end(hold: Hold) {
      open.delete(hold.callId);
      changed.delete(hold.callId);
      // A reservation that began in the same batch was never written, so no row must be deleted.
      if (!started.delete(hold.callId)) ended.add(hold.callId);
    },
    changes: () => ({
      holdsStarted: [...started.values()],
      holdsChanged: [...changed.values()],
      holdsEnded: [...ended],
    }),
  };
}

/** A payment that begins and ends in a batch is never written. */
export function createUnclaimed(rows: readonly UnclaimedPayment[]) {
  const byCallId = new Map(rows.map((row) => [row.callId, row]));
  const added = new Map<string, UnclaimedPayment>();
  const changed = new Map<string, UnclaimedPayment>();
  const ended = new Set<string>();
  return {
    get: (callId: string) => byCallId.get(callId),
    add(row: UnclaimedPayment) {
      byCallId.set(row.callId, row);
      added.set(row.callId, row);
    },
    change(row: UnclaimedPayment) {
      byCallId.set(row.callId, row);
      (added.has(row.callId) ? added : changed).set(row.callId, row);
    },
    end(callId: string) {
      byCallId.delete(callId);
      changed.delete(callId);
      if (!added.delete(callId)) ended.add(callId);
    },
    changes: () => ({
      unclaimedAdded: [...added.values()],
      unclaimedChanged: [...changed.values()],
      unclaimedEnded: [...ended],
    }),
  };
}

export function createCalls(rows: readonly CallRecord[]) {
  const byCallId = new Map(rows.map((row) => [row.callId, row]));
  const added = new Map<string, CallRecord>();
  const replaced = new Map<string, CallRecord>();
  return {
    get: (callId: string) => byCallId.get(callId),
    put(record: CallRecord) {
      const isNew = added.has(record.callId) || !byCallId.has(record.callId);
      byCallId.set(record.callId, record);
      (isNew ? added : replaced).set(record.callId, record);
    },
    changes: () => ({ callsAdded: [...added.values()], callsReplaced: [...replaced.values()] }),
  };
}

export function createAttempts(rows: readonly Attempt[]) {
  const byCallId = Map.groupBy(rows, ({ callId }) => callId);
  const added = new Map<string, readonly Attempt[]>();
  const changed = new Map<string, readonly Attempt[]>();
  return {
    /** Empty for a call whose record covers its only attempt. */
    of: (callId: string) => added.get(callId) ?? changed.get(callId) ?? byCallId.get(callId) ?? [],
    put(attempts: readonly Attempt[]) {
      const [first] = attempts;
      if (first === undefined) return;
      (byCallId.has(first.callId) ? changed : added).set(first.callId, attempts);
    },
    changes: () => ({
      attemptsAdded: [...added.values()].flat(),
      attemptsChanged: [...changed.values()].flat(),
    }),
  };
}

export function createMembers(rows: readonly BudgetMember[]) {
  const changed = new Set<BudgetMember>();
  return {
    of: (app: string, day: string) =>
      rows.filter((row) => row.app === app && row.firstDay <= day && day < row.endDay),
    put: (row: BudgetMember) => void changed.add(row),
    changed: () => [...changed],
  };
}
