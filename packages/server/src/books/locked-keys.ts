import type { ScopeClaim } from './claims.ts';
import type { Operation, Reserve } from './operations.ts';
import type { CallFacts } from './rows.ts';
import { scopeKeyOf } from './scope.ts';

/** The keys of all rows that a batch may read or write, each once, in the order of locking. */
export interface LockedKeys {
  readonly budgets: readonly { readonly app: string; readonly day: string }[];
  /** What reservations claim; what a batch's calls have in their lists comes to these. */
  readonly scopes: readonly ClaimedScope[];
  /** Whether something is reserved, so that the definitions' revision is read. */
  readonly isReserving: boolean;
  readonly wallets: readonly WalletKey[];
  readonly topups: readonly { readonly app: string; readonly userId: string }[];
  readonly idempotency: readonly { readonly app: string; readonly keyHash: string }[];
  readonly entries: readonly {
    readonly app: string;
    readonly userId: string;
    readonly reference: string;
  }[];
  /** Calls whose hold, and whose record, is read. */
  readonly callIds: readonly string[];
  /** Calls that are settled: one that is not held is booked in what counts its app. */
  readonly settledIds: readonly string[];
  /** Calls that are put right, and whose attempts are read. */
  readonly correctedIds: readonly string[];
  /** Calls whose unclaimed payment is read. */
  readonly unclaimedIds: readonly string[];
}

/** A claim, with the revision that it was made by: only one by the current makes a row. */
export interface ClaimedScope extends ScopeClaim {
  readonly revision: bigint;
}

/** A wallet's month; `created` has what a new row starts with, where the operation may make one. */
export interface WalletKey {
  readonly app: string;
  readonly userId: string;
  readonly month: string;
  readonly created: { readonly granted: bigint; readonly picoUsdPerCredit: bigint } | undefined;
}

/** The keys of all rows that a batch may read or write. */
export function lockedKeysOf(batch: readonly Operation[]): LockedKeys {
  const budgets = new Map<string, LockedKeys['budgets'][number]>();
  const scopes = createClaims();
  const wallets = new Map<string, WalletKey>();
  const topups = new Map<string, LockedKeys['topups'][number]>();
  const idempotency = new Map<string, LockedKeys['idempotency'][number]>();
  const entries = new Map<string, LockedKeys['entries'][number]>();
  const callIds = new Set<string>();
  const settledIds: string[] = [];
  const correctedIds = new Set<string>();
  const unclaimedIds: string[] = [];
  let last: LockedKeys['budgets'][number] | undefined;
  let isReserving = false;
  for (const operation of batch) add(operation);
  return {
    budgets: inKeyOrder(budgets),
    scopes: scopes.all(),
    isReserving,
    wallets: inKeyOrder(wallets),
    topups: inKeyOrder(topups),
    idempotency: inKeyOrder(idempotency),
    entries: inKeyOrder(entries),
    callIds: [...callIds],
    correctedIds: [...correctedIds],
    ...{ settledIds, unclaimedIds },
  };

  function add(operation: Operation) {
    if (operation.kind === 'top-up') {
      const { app, userId, reference } = operation;
      topups.set(`${app}\n${userId}`, { app, userId });
      entries.set(`${app}\n${userId}\n${reference}`, { app, userId, reference });
      return;
    }
    const facts = 'facts' in operation ? operation.facts : operation;
    const { app, day, callId } = facts;
    // Mostly that of the operation before.
    if (last?.app !== app || last.day !== day) {
      last = { app, day };
      budgets.set(`${app}\n${day}`, last);
    }
    callIds.add(callId);
    if (operation.kind === 'settle') settledIds.push(callId);
    if (operation.kind === 'correct' || operation.kind === 'reprice') correctedIds.add(callId);
    if (operation.kind === 'collect' || operation.kind === 'release') unclaimedIds.push(callId);
    if (operation.kind === 'extend' || operation.kind === 'reprice') return;
    addWallet(operation);
    const key = idempotencyKeyOf(operation);
    if (key !== undefined) idempotency.set(`${app}\n${key.keyHash}`, key);
    if (operation.kind !== 'reserve') return;
    isReserving = true;
    scopes.add(operation);
    if (operation.ends !== undefined) add({ kind: 'expire', ...operation.ends });
    for (const keyHash of operation.idempotency?.adoption?.earlier ?? []) {
      idempotency.set(`${app}\n${keyHash}`, { app, keyHash });
    }
  }

  function addWallet(operation: Exclude<Operation, { kind: 'top-up' | 'extend' | 'reprice' }>) {
    const { app, userId, month } = 'facts' in operation ? operation.facts : operation;
    if (userId === undefined || month === undefined) return;
    const created = operation.kind === 'reserve' ? operation.wallet : undefined;
    const key = `${app}\n${userId}\n${month}`;
    const known = wallets.get(key);
    wallets.set(key, { app, userId, month, created: known?.created ?? created });
    topups.set(`${app}\n${userId}`, { app, userId });
  }
}

/** What reservations claim, each once. */
function createClaims() {
  const known = new Map<string, ClaimedScope>();
  let last: Reserve | undefined;
  return {
    add(operation: Reserve) {
      const { scopes: claims, budgetsRevision: revision } = operation;
      // Mostly those of the reservation before.
      if (last?.scopes === claims && last.budgetsRevision === revision) return;
      last = operation;
      for (const claim of claims) {
        const key = scopeKeyOf(claim);
        const other = known.get(key);
        if (other === undefined || other.revision < revision)
          known.set(key, { ...claim, revision });
      }
    },
    all: () => inKeyOrder(known),
  };
}

/** The idempotency key of which an operation may read or write the row. */
export function idempotencyKeyOf(
  operation: Operation,
): LockedKeys['idempotency'][number] | undefined {
  const { kind } = operation;
  if (kind === 'top-up' || kind === 'extend') return undefined;
  if (kind === 'reprice' || kind === 'release') return undefined;
  const { app, keyHash } = 'facts' in operation ? operation.facts : operation;
  return keyHash === undefined ? undefined : { app, keyHash };
}

/** One order for every batch of every process, so that two transactions never wait in a ring. */
function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  if (rows.size < 2) return [...rows.values()];
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/**
 * Whether a batch may change what a budget counts beside its calls' lists: it puts a call right,
 * or settles one that is not held.
 */
export function mayCountMembers(
  { settledIds }: Pick<LockedKeys, 'settledIds'>,
  { holds, calls }: Readonly<Record<'holds' | 'calls', readonly Pick<CallFacts, 'callId'>[]>>,
): boolean {
  if (calls.length > 0) return true;
  if (settledIds.length === 0) return false;
  const held = new Set(holds.map(({ callId }) => callId));
  return settledIds.some((callId) => !held.has(callId));
}
