import type { MessagePort } from 'node:worker_threads';
import type {
  QuotaGrant,
  QuotaRequest,
  QuotaTime,
  SqlRow,
  Statement,
  StoreOrigin,
} from '../port/port.ts';
import type { ChainedLine } from '../schema/audit-chain.ts';
import type { PackedOperation } from './pack-operation.ts';
import type { PackedResults } from './pack-results.ts';

/** What a thread asks of the store's, which answers in the order of asking. */
export type Ask = { readonly id: number } & (
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
  /** From now on another thread asks as well. */
  | { readonly kind: 'join'; readonly port: MessagePort }
  /** Who asks this asks nothing more; the first thread closes the store with it. */
  | { readonly kind: 'close' }
);

/** What the worker answers; an ask and its answer share an id. */
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

/** The number of a commit of which every result is as usual: nearly all of them. */
export type Usual = number;

/** What was not asked: why the upkeep of the file did not go through. */
export type Trouble = { readonly kind: 'trouble'; readonly error: string };

/** What was not asked either: lines of the audit log that were written. */
export type Told = { readonly kind: 'lines'; readonly lines: readonly ChainedLine[] };

/** The worker's first word: the database is open, or why it is not. */
export type Opened =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly error: string };
