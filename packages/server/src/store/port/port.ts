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
  /** In a `write`: chained to the last line as it is written. */
  readonly line?: AuditLine;
  /** In a `write`: where it changes no row, the transaction writes nothing. */
  readonly abortIfNoRows?: true;
  /**
   * In a `write` that changes budget definitions, or rows that follow from them: no ledger batch of
   * any process runs during its transaction.
   */
  readonly locksBudgets?: true;
  /**
   * For a `select` of a `write`: locks found rows in its order until the transaction's end. A
   * single writer needs none.
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
 * `invalid`: would fail again; `conflict`: another transaction has one of its rows; `unavailable`:
 * not written; `indeterminate`: may have been written.
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
  /** For waiting requests: each also counts against the day's quota. */
  readonly needed: number;
  /** Rate tokens a charge still takes; no quota. */
  readonly owed: number;
  /**
   * For later: at most an eighth of the bucket's rest and a hundredth of the day's, since they may
   * stay unused.
   */
  readonly ahead: number;
  /** Granted quota of this day that is no longer needed. */
  readonly day: string;
  readonly returned: number;
}

export interface QuotaGrant {
  readonly keyId: string;
  readonly tokens: number;
  /** Lacking before the grant: granted tokens fill this first. */
  readonly deficit: number;
  readonly quota: number;
  /** UTC, of the quota. */
  readonly day: string;
}

/**
 * By a note from the last service: `whole`, the same or new; `older`, calls are missing; `missing`
 * and `foreign`, unknown: no note, or another's.
 */
export type StoreOrigin = 'whole' | 'older' | 'missing' | 'foreign';

/** Detects a store file that was replaced by an older one, or lost a part. */
export interface StoreEpochs {
  readOrigin(): Promise<StoreOrigin>;
  /** A store without a name gets this one. */
  begin(storeId: string): Promise<void>;
  end(): Promise<void>;
}

export interface StoreShare {
  readonly path: string;
  /** The newest first; these seal and open stored data. */
  readonly keys: readonly RingKey[];
  readonly port: MessagePort;
}

/** For a store without a clock. */
export interface QuotaTime {
  /** A change of the wall clock moves it. */
  readonly day: string;
  /** Monotonic: no clock step fills or empties rates. */
  readonly nowMs: number;
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Other processes or threads serve from it too. */
  readonly isShared: boolean;
  /** For days, months and expiry; missing: the process's own. */
  readonly clock?: ServerClock;
  /** Seals and opens stored data; undefined on a server without the operator's. */
  readonly ring?: KeyRing | undefined;
  /** One durable transaction. Rejects when the store is away, unless each result shows it. */
  commit(batch: readonly Operation[]): Promise<readonly OperationResult[]>;
  read<T>(query: Query<T>): Promise<T>;
  /**
   * Read-only; neither calls nor commits wait on it. Sees all commits before. Rejects with a
   * StoreError also after a lost connection: the next reading has another one.
   */
  readAside<T>(query: Query<T>): Promise<T>;
  /**
   * One durable transaction; returns the rows each changed. See {@link Statement.abortIfNoRows}.
   */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  /**
   * For one of many replicas or threads; `time` where the store has no clock. Missing where one
   * thread has the store for itself.
   */
  readonly acquire?: (
    requests: readonly QuotaRequest[],
    time: QuotaTime | undefined,
  ) => Promise<readonly QuotaGrant[]>;
  /** Missing where a database server guarantees what it confirmed. */
  readonly epochs?: StoreEpochs;
  /**
   * For one more thread, which must receive its `port`. Missing where each opens the store itself,
   * or there is only one.
   */
  readonly share?: () => Promise<StoreShare>;
  close(): Promise<void>;
}

export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** A text has a character that no store keeps; nothing was written. */
export class UnstorableError extends StoreError {
  override readonly name = 'UnstorableError';
  constructor() {
    super(`a value ${nulProblem}`);
  }
}
