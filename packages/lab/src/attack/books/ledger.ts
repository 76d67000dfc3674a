import { audit } from '@model-gateway/server/store/audit/audit';
import type { SqlRow, Store } from '@model-gateway/server/store/port/port';
import { big, optionalText, text } from '@model-gateway/server/store/schema/columns';
import type { BookedAttempt } from './books.ts';

export interface Ledger {
  readonly calls: readonly LedgerCall[];
  readonly holds: readonly {
    readonly app: string;
    readonly day: string;
    readonly picoUsd: bigint;
  }[];
  readonly broken: readonly string[];
}

export interface LedgerCall {
  readonly app: string;
  readonly day: string;
  readonly callId: string;
  readonly keyHash: string | undefined;
  readonly code: string;
  readonly picoUsd: bigint;
  readonly estimatedPicoUsd: bigint;
  readonly attempts: readonly BookedAttempt[];
}

export async function readLedger(store: Store, nowMs: number): Promise<Ledger> {
  const attempts = await readAttempts(store);
  const calls = await store.read({
    sql: `
      select app, day, call_id, key_hash, code, cost, estimated, attempts
        from call
       order by call_id`,
    values: [],
    isLong: true,
    map: (rows) => rows.map((row) => readCall(row, attempts)),
  });
  const holds = await store.read({
    sql: 'select app, day, held from budget_day where held <> 0',
    values: [],
    map: (rows) =>
      rows.map((row) => ({
        app: text(row, 'app'),
        day: text(row, 'day'),
        picoUsd: big(row, 'held'),
      })),
  });
  const { checks } = await audit(store, nowMs);
  const broken = checks
    .filter(({ ok }) => !ok)
    .map(({ id, rule, figure }) => `audit ${id}: ${rule}; ${figure} rows break it`);
  return { calls, holds, broken };
}

function readCall(row: SqlRow, attempts: ReadonlyMap<string, BookedAttempt[]>): LedgerCall {
  const callId = text(row, 'call_id');
  return {
    app: text(row, 'app'),
    day: text(row, 'day'),
    callId,
    keyHash: optionalText(row, 'key_hash'),
    code: text(row, 'code'),
    picoUsd: big(row, 'cost'),
    estimatedPicoUsd: big(row, 'estimated'),
    attempts: attempts.get(callId) ?? readNote(text(row, 'attempts')),
  };
}

/** Only calls with several attempts have attempt rows. */
function readAttempts(store: Store): Promise<ReadonlyMap<string, BookedAttempt[]>> {
  const readAttempt = (row: SqlRow): BookedAttempt => ({
    requestId: optionalText(row, 'upstream_id'),
    picoUsd: big(row, 'cost'),
    isEstimated: text(row, 'basis') === 'estimated',
    isAnswered: text(row, 'outcome') === 'answered',
  });
  return store.read({
    sql: 'select call_id, upstream_id, cost, basis, outcome from attempt order by call_id, n',
    values: [],
    isLong: true,
    map: (rows) => {
      const byCall = Map.groupBy(rows, (row) => text(row, 'call_id'));
      return new Map([...byCall].map(([callId, own]) => [callId, own.map(readAttempt)]));
    },
  });
}

function readNote(json: string): readonly BookedAttempt[] {
  const rows: readonly Readonly<Record<string, unknown>>[] = JSON.parse(json);
  return rows.map(({ requestId, costPicoUsd, isEstimated, outcome }) => ({
    requestId: typeof requestId === 'string' ? requestId : undefined,
    picoUsd: BigInt(String(costPicoUsd)),
    isEstimated: isEstimated === true,
    isAnswered: outcome === 'answered',
  }));
}
