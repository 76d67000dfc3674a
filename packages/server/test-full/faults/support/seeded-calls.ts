import { expect } from 'vitest';
import { utcDayOf, utcMonthOf } from '../../../src/lib/clock.ts';
import { firstCallIdAt } from '../../../src/lib/id.ts';
import { checkInvariants } from '../../../src/store/audit/audit.ts';
import type { Query, Store } from '../../../src/store/port/port.ts';
import {
  type ReadSums,
  selectSplitSums,
  selectUserSums,
} from '../../../src/store/sums/report-sums.ts';
import { selectRollupState } from '../../../src/store/sums/rollups.ts';
import { type Operations, operationsOf } from '../../../test/conformance/operations.ts';

/** A call of the past whose cost the test calculates by itself, without the store. */
export interface SeededCall {
  readonly callId: string;
  readonly ms: number;
  readonly userId: string;
  /** Its cost by all confirmations of the store. */
  cost: bigint;
  /** Whether its process is lost: then it may still be settled. */
  isLost: boolean;
}

const batchMax = 200;

/** The operations of the user of a call. */
export function whose({ userId, ms }: Pick<SeededCall, 'userId' | 'ms'>): Operations {
  return operationsOf({ app: 'search', userId, granted: undefined, now: ms });
}

/** Books calls from a time on; every ninth is lost, so its reservation is its cost. */
export async function seedCalls(
  store: Store,
  { fromMs, everyMs, count }: { fromMs: number; everyMs: number; count: number },
): Promise<readonly SeededCall[]> {
  const calls = Array.from({ length: count }, (_, index): SeededCall => {
    const ms = fromMs + index * everyMs;
    const callId = `${firstCallIdAt(ms)}${String(index).padStart(16, '0')}`;
    const isLost = index % 9 === 0;
    return { callId, ms, userId: `user-${index % 37}`, cost: isLost ? 9n : 7n, isLost };
  });
  for (let at = 0; at < calls.length; at += batchMax) {
    const batch = calls.slice(at, at + batchMax).flatMap((call) => {
      const { reserve, settle, expire } = whose(call);
      const end = call.isLost ? expire(call.callId) : settle(call.callId, call.cost);
      return [reserve(call.callId, 9n), end];
    });
    for (const result of await store.commit(batch)) expect(result.ok).toBe(true);
  }
  return calls;
}

/** Settles a lost call late, of those since a time, and corrects another call. */
export async function changeLate(
  store: Store,
  calls: readonly SeededCall[],
  { turn, lateFromMs }: { turn: number; lateFromMs: number },
) {
  const lost = calls.find(({ isLost, ms }) => isLost && ms >= lateFromMs);
  if (lost !== undefined) {
    const [result] = await store.commit([whose(lost).settle(lost.callId, 4n)]);
    if (kindOf(result) === 'settled') Object.assign(lost, { cost: 4n, isLost: false });
  }
  const call = calls[(turn * 997) % calls.length];
  if (call === undefined || call.isLost) return;
  const cost = BigInt(turn % 20);
  const [result] = await store.commit([whose(call).correct(call.callId, cost)]);
  if (kindOf(result) === 'corrected') call.cost = cost;
}

type Result = Awaited<ReturnType<Store['commit']>>[number];

function kindOf(result: Result | undefined): string | undefined {
  return result?.ok === true ? result.outcome.kind : undefined;
}

/** Reports of all days equal the test's own sums, by users and by days. */
export async function expectReported(store: Store, calls: readonly SeededCall[]) {
  const of = { from: '2020-01-01', to: '2099-12-31', apps: undefined };
  const users = await atOnce(store, (until) =>
    selectUserSums({ ...of, columns: ['userId'] }, until),
  );
  expect(linesOf(users, 'userId')).toEqual(added(calls, ({ userId }) => userId));
  const columns = ['day', 'keyId'] as const;
  const days = await atOnce(store, (until) => selectSplitSums({ ...of, columns }, until));
  expect(linesOf(days, 'day')).toEqual(added(calls, ({ ms }) => utcDayOf(ms)));
}

/** A report counts if the rollups still end where it assumed; otherwise it is requested again. */
async function atOnce(store: Store, asked: (rolledUntil: string) => Query<ReadSums>) {
  for (;;) {
    const rolledUntil = (await store.read(selectRollupState))?.rolledUntil ?? '';
    const sums = await store.read(asked(rolledUntil));
    if (sums.rolledUntil === rolledUntil) return sums;
  }
}

/** All calls except those of the running service, which have their own key and no user. */
function linesOf({ groups }: ReadSums, name: 'day' | 'userId') {
  const seeded = [...groups].filter(({ userId, keyId }) => userId !== '' || keyId === 'key_one');
  return seeded.map((group) => `${group[name]} ${group.calls} ${group.cost}`).sort();
}

function added(calls: readonly SeededCall[], nameOf: (call: SeededCall) => string) {
  const groups = Map.groupBy(calls, nameOf);
  return [...groups]
    .map(([name, all]) => `${name} ${all.length} ${all.reduce((sum, { cost }) => sum + cost, 0n)}`)
    .sort();
}

/** The audit's rules, each at one time; reservations of a killed process are no violation. */
export async function expectClean(store: Store) {
  const checks = await checkInvariants(store, 0);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
}

/** The first millisecond of the month that is this many months before a time. */
export function monthBefore(nowMs: number, months: number): number {
  const [year = 0, month = 1] = utcMonthOf(nowMs).split('-').map(Number);
  return Date.UTC(year, month - 1 - months, 1);
}
