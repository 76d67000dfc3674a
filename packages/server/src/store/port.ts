import type { MessagePort } from 'node:worker_threads';
import type { AuditLine } from '../books/audit-line.ts';
import type { Operation, Outcome } from '../books/operations.ts';
import type { KeyRing, RingKey } from '../lib/key-ring.ts';
import { holdsNul } from '../lib/nul.ts';

/** A value that both databases bind. */
export type SqlValue = string | number | bigint | null;

/** A row as both databases answer it: integers are bigint. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** One SQL text with its values; `$1` is the first of them. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** For a line of the audit log, in a `write`: it is chained to the last one as it is written. */
  readonly line?: AuditLine;
  /**
   * For a statement of a `write` that the others only accompany: where it changes no row, nothing
   * of its transaction is written.
   */
  readonly abortIfNoRows?: true;
  /**
   * For a statement of a `write` that changes definitions of budgets, or the rows that follow from
   * them: no batch of the ledger, of whichever process, runs beside its transaction.
   */
  readonly locksBudgets?: true;
  /**
   * For a `select` of a `write`: the rows that it finds are kept from others until the end of its
   * transaction, one after the other in its order. Where one writes at a time, they are so already.
   */
  readonly locksRows?: true;
}

/** Whether what a transaction changed is to be kept: each decisive statement found its rows. */
export function isDecided(statements: readonly Statement[], counts: readonly number[]): boolean {
  return statements.every(
    ({ abortIfNoRows }, index) => abortIfNoRows !== true || counts[index] !== 0,
  );
}

/** A statement whose rows have a meaning. */
export interface Query<T> extends Statement {
  readonly map: (rows: readonly SqlRow[]) => T;
  /** True for a statement that reads whole tables, and may take minutes: it is read aside. */
  readonly isLong?: true;
}

/** What one operation of a batch came to: its outcome, or why it alone failed. */
export type OperationResult =
  | { readonly ok: true; readonly outcome: Outcome }
  | { readonly ok: false; readonly kind: FailureKind; readonly error: string };

/**
 * Why an operation failed: `invalid`, it is itself to blame and would fail again; `conflict`,
 * another transaction has one of its rows; `unavailable`, the store could not be written;
 * `indeterminate`, it may have been written, and no answer says so.
 */
export type FailureKind = 'invalid' | 'conflict' | 'unavailable' | 'indeterminate';

/** The clock of a database server, as this process knows it. */
export interface ServerClock {
  /** How far it is ahead of this process's clock; negative when it is behind. */
  skewMs(): number;
  /** Measures the two clocks against each other anew. */
  measure(): Promise<void>;
}

/** What a replica requests of an API key's plan, for requests that wait and for those to come. */
export interface QuotaRequest {
  readonly keyId: string;
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly requestsPerDay: number;
  /** Tokens of the rate for requests that wait: each is one of the day's quota as well. */
  readonly needed: number;
  /** Tokens of the rate alone, for what a charge still takes. */
  readonly owed: number;
  /**
   * Tokens for later: at most an eighth of what the bucket has left then, and a hundredth of what
   * the day has left, since they may never be used.
   */
  readonly ahead: number;
  /** Quota of this day that was granted and is not needed any more. */
  readonly day: string;
  readonly returned: number;
}

/** What of it was granted. */
export interface QuotaGrant {
  readonly keyId: string;
  /** Tokens of the rate. */
  readonly tokens: number;
  /** How many tokens the bucket lacked before: those granted are used before it lacks none. */
  readonly deficit: number;
  /** For so many of them the day has quota. */
  readonly quota: number;
  /** The UTC day of that quota. */
  readonly day: string;
}

/**
 * What a store is, by what was noted beside it when it was last served: `whole`, the same or a new
 * one; `older`, calls are missing that it had; `missing` and `foreign`, nothing or something else
 * is noted, so that it is not known.
 */
export type StoreOrigin = 'whole' | 'older' | 'missing' | 'foreign';

/** Finds out whether a store that is a file was replaced by an older one, or has lost a part. */
export interface StoreEpochs {
  look(): Promise<StoreOrigin>;
  /** The service has begun; a store without a name gets this one. */
  begin(storeId: string): Promise<void>;
  /** The service has ended in order. */
  end(): Promise<void>;
}

/** An embedded store that another thread has opened, as it goes to one that joins it. */
export interface StoreShare {
  readonly path: string;
  /** What seals and opens what is kept in it, the newest first. */
  readonly keys: readonly RingKey[];
  readonly port: MessagePort;
}

/** The time by which a store without a clock grants quota. */
export interface QuotaTime {
  /** The day that it is of: a clock that is set moves it. */
  readonly day: string;
  /** Milliseconds by which rates go: no step of the clock fills or empties them. */
  readonly nowMs: number;
}

/** A database that keeps the ledger and the registry. Nothing of its engine crosses this port. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** Whether other processes, or other threads of this one, serve from it as well. */
  readonly isShared: boolean;
  /** The clock that days, months and expiry go by; missing where it is this process's own. */
  readonly clock?: ServerClock;
  /** What seals and opens what is kept in it; undefined on a server without the operator's. */
  readonly ring?: KeyRing | undefined;
  /**
   * Decides a batch of ledger operations in one durable transaction. Rejects when it is away,
   * unless
   * each result says so.
   */
  commit(batch: readonly Operation[]): Promise<readonly OperationResult[]>;
  read<T>(query: Query<T>): Promise<T>;
  /**
   * Reads on a connection that can change nothing, and on which neither calls nor commits wait. It
   * sees all that was committed before. Rejects with a StoreError also where that connection was
   * lost: the next reading has another one.
   */
  readAside<T>(query: Query<T>): Promise<T>;
  /**
   * Runs statements in one durable transaction, all of them or none; answers the number of rows
   * each changed. See {@link Statement.abortIfNoRows}.
   */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  /**
   * Acquires quota of the plans of API keys, for one of many replicas or threads; `time` where the
   * store has no clock. Missing where one thread has the store for itself.
   */
  readonly acquire?: (
    requests: readonly QuotaRequest[],
    time: QuotaTime | undefined,
  ) => Promise<readonly QuotaGrant[]>;
  /** Missing where a database server answers for what it has confirmed. */
  readonly epochs?: StoreEpochs;
  /**
   * What one further thread of this process joins the store by; its `port` is to be moved there.
   * Missing where each opens it for itself, or where there is to be but one.
   */
  readonly share?: () => Promise<StoreShare>;
  close(): Promise<void>;
}

/** The store could not do what was asked; nothing is known to have been written. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** A text has a character that no store keeps; nothing was written. */
export class UnstorableError extends StoreError {
  override readonly name = 'UnstorableError';
  constructor() {
    super(`a value ${holdsNul}`);
  }
}
