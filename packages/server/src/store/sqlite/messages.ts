import type { MessagePort } from 'node:worker_threads';
import type { Operation } from '../../books/operations.ts';
import type {
  OperationResult,
  QuotaGrant,
  QuotaRequest,
  QuotaTime,
  SqlRow,
  Statement,
  StoreOrigin,
} from '../port/port.ts';
import type { ChainedLine } from '../schema/audit-chain.ts';

/** A thread's requests to the store's thread, which responds in order. */
export type StoreRequest = { readonly id: number } & (
  | { readonly kind: 'commit'; readonly batch: readonly PackedOperation[] }
  | { readonly kind: 'read'; readonly statement: Statement }
  | { readonly kind: 'write'; readonly statements: readonly Statement[] }
  | {
      readonly kind: 'acquire';
      readonly requests: readonly QuotaRequest[];
      readonly time: QuotaTime;
    }
  | { readonly kind: 'look' }
  | { readonly kind: 'begin'; readonly storeId: string }
  | { readonly kind: 'end' }
  /** Accepts requests from another thread too. */
  | { readonly kind: 'join'; readonly port: MessagePort }
  /** The sender's last request; the first thread's closes the store. */
  | { readonly kind: 'close' }
);

/**
 * Copied objects contain all their names, so the two operations of every call travel as lists. Rare
 * ones stay objects: takeovers, and settlements with an audit line, several attempts or another
 * model.
 */
export type PackedOperation = readonly unknown[] | Operation;

/** Only unusual results travel, each with its index in the batch. */
export type PackedResults = readonly (readonly [index: number, result: OperationResult])[];

export type Reply = { readonly id: number } & (
  | { readonly kind: 'committed'; readonly results: PackedResults }
  | { readonly kind: 'rows'; readonly rows: readonly SqlRow[] }
  | { readonly kind: 'written'; readonly counts: readonly number[] }
  | { readonly kind: 'granted'; readonly grants: readonly QuotaGrant[] }
  | { readonly kind: 'seen'; readonly origin: StoreOrigin }
  | { readonly kind: 'done' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly error: string }
);

/** The number of a commit with only usual results: nearly all commits. */
export type Usual = number;

export type Trouble = { readonly kind: 'trouble'; readonly error: string };

export type LinesMessage = { readonly kind: 'lines'; readonly lines: readonly ChainedLine[] };

export type Opened =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly error: string };
