import type { MessagePort } from 'node:worker_threads';
import type { AuditLine } from '../../books/audit-line.ts';
import type { Operation, Outcome } from '../../books/operations.ts';
import type { KeyRing, RingKey } from '../../lib/key-ring.ts';
import { nulProblem } from '../../lib/nul.ts';

export type SqlValue = string | number | bigint | null;

export type SqlRow = Readonly<Record<string, unknown>>;

/** `$1` is the first value. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** In a `write`: chained to the last line in the same transaction. */
  readonly line?: AuditLine;
  /** In a `write`: the transaction writes nothing if this changes no row. */
  readonly abortIfNoRows?: true;
  /**
   * In a `write` that changes budget definitions, or rows that follow from them. No ledger batch of
   * any process runs during its transaction.
   */
  readonly locksBudgets?: true;
  /**
   * For a `select` of a `write`: locks matching rows in its order until the transaction's end. A
   * single writer needs no lock.
   */
  readonly locksRows?: true;
}

export function isDecided(statements: readonly Statement[], counts: readonly number[]): boolean {
  return statements.every(
    ({ abortIfNoRows }, index) => abortIfNoRows !== true || counts[index] !== 0,
  );
}

export interface Query<T> extends Statement {
  readonly map: (rows: readonly SqlRow[]) => T;
  /** Reads whole tables, maybe for minutes: uses the other connection. */
  readonly isLong?: true;
}

export type OperationResult =
  | { readonly ok: true; readonly outcome: Outcome }
  | { readonly ok: false; readonly kind: FailureKind; readonly error: string };

/**
 * `invalid`: would fail again; `conflict`: another transaction has locked one of its rows;
 * `unavailable`: not written; `indeterminate`: might have been written.
 */
export type FailureKind = 'invalid' | 'conflict' | 'unavailable' | 'indeterminate';

export interface ServerClock {
  /** Ahead of this process's clock; negative when behind. */
  skewMs(): number;
  measure(): Promise<void>;
}

export interface QuotaRequest {
  readonly keyId: string;
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly requestsPerDay: number;
  /** For waiting requests: each also counts toward the daily quota. */
  readonly needed: number;
  /** Rate tokens that a charge still needs; no quota. */
  readonly owed: number;
  /**
   * For later: at most an eighth of the bucket's rest and a hundredth of the day's, because they
   * may stay unused.
   */
  readonly ahead: number;
  /** The UTC day of `returned`: granted quota that nothing needs. */
  readonly day: string;
  readonly returned: number;
}

export interface QuotaGrant {
  readonly keyId: string;
  readonly tokens: number;
  /** Missing tokens before the grant: granted tokens fill this first. */
  readonly deficit: number;
  readonly quota: number;
  /** The quota's UTC day. */
  readonly day: string;
}

/**
 * According to the last service's note. `whole`: the same store, or a new one; `older`: calls are
 * missing; `missing`: no note; `foreign`: another store's note. The last two prove nothing.
 */
export type StoreOrigin = 'whole' | 'older' | 'missing' | 'foreign';

/** Detects a store file that was replaced by an older one, or lost a part. */
export interface StoreEpochs {
  readOrigin(): Promise<StoreOrigin>;
  /** Names a store without a name. */
  begin(storeId: string): Promise<void>;
  end(): Promise<void>;
}

export interface StoreShare {
  readonly path: string;
  /** Newest first. These seal and open stored data. */
  readonly keys: readonly RingKey[];
  readonly port: MessagePort;
}

/** For a store without a server's clock. */
export interface QuotaTime {
  /** Follows the wall clock. */
  readonly day: string;
  /** Monotonic: no clock step fills or empties rates. */
  readonly nowMs: number;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Other processes or threads also use it. */
  readonly isShared: boolean;
  /** For days, months and expiry. Undefined: use the process's own. */
  readonly clock?: ServerClock;
  /** Seals and opens stored data; undefined on a server without the operator's ring. */
  readonly ring?: KeyRing | undefined;
  /**
   * One durable transaction. Rejects when the store is unavailable, unless each result contains
   * that.
   */
  commit(batch: readonly Operation[]): Promise<readonly OperationResult[]>;
  read<T>(query: Query<T>): Promise<T>;
  /**
   * Read-only; neither calls nor commits wait for it. Includes all earlier commits. Rejects with a
   * StoreError also after a lost connection: the next query uses a new one.
   */
  readForOperator<T>(query: Query<T>): Promise<T>;
  /**
   * One durable transaction. Returns the number of rows that each statement changed. See {@link
   * Statement.abortIfNoRows}.
   */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  /**
   * For one of many replicas or threads; `time` if the store has no clock. Undefined if one thread
   * has exclusive use of the store.
   */
  readonly acquire?: (
    requests: readonly QuotaRequest[],
    time: QuotaTime | undefined,
  ) => Promise<readonly QuotaGrant[]>;
  /** Undefined if a database server guarantees what it confirmed. */
  readonly epochs?: StoreEpochs;
  /**
   * For one more thread, which must receive its `port`. Undefined if each thread opens the store
   * itself, or there is only one.
   */
  readonly share?: () => Promise<StoreShare>;
  close(): Promise<void>;
}

export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** A text has a character that no store accepts; nothing was written. */
export class UnstorableError extends StoreError {
  override readonly name = 'UnstorableError';
  constructor() {
    super(`a value ${nulProblem}`);
  }
}
