import type { ScopeClaim } from './claims.ts';
import type { Operation, Reserve } from './operations.ts';
import type { CallFacts } from './rows.ts';
import { scopeKeyOf } from './scope.ts';

/** Each key once, in the order of locking. */
export interface LockedKeys {
  readonly budgets: readonly { readonly app: string; readonly day: string }[];
  /** Complete together with the budgets in the lists of the batch's calls. */
  readonly scopes: readonly ClaimedScope[];
  readonly isReserving: boolean;
  readonly wallets: readonly WalletKey[];
  readonly topups: readonly { readonly app: string; readonly userId: string }[];
  readonly idempotency: readonly { readonly app: string; readonly keyHash: string }[];
  readonly entries: readonly {
    readonly app: string;
    readonly userId: string;
    readonly reference: string;
  }[];
  readonly callIds: readonly string[];
  /** A call without a reservation is booked in every budget that counts its app. */
  readonly settledIds: readonly string[];
  readonly correctedIds: readonly string[];
  readonly unclaimedIds: readonly string[];
}

/** Only a claim made by the current revision creates a row. */
export interface ClaimedScope extends ScopeClaim {
  readonly revision: bigint;
}

/** `created`: initial values of a new row, if the operation may create it. */
export interface WalletKey {
  readonly app: string;
  readonly userId: string;
  readonly month: string;
  readonly created: { readonly granted: bigint; readonly picoUsdPerCredit: bigint } | undefined;
}

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
    // Usually the same as in the operation before.
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
    const existing = wallets.get(key);
    wallets.set(key, { app, userId, month, created: existing?.created ?? created });
    topups.set(`${app}\n${userId}`, { app, userId });
  }
}

function createClaims() {
  const claimsByKey = new Map<string, ClaimedScope>();
  let last: Reserve | undefined;
  return {
    add(operation: Reserve) {
      const { scopes: claims, budgetsRevision: revision } = operation;
      // Usually the same as in the reservation before.
      if (last?.scopes === claims && last.budgetsRevision === revision) return;
      last = operation;
      for (const claim of claims) {
        const key = scopeKeyOf(claim);
        const other = claimsByKey.get(key);
        if (other === undefined || other.revision < revision)
          claimsByKey.set(key, { ...claim, revision });
      }
    },
    all: () => inKeyOrder(claimsByKey),
  };
}

export function idempotencyKeyOf(
  operation: Operation,
): LockedKeys['idempotency'][number] | undefined {
  const { kind } = operation;
  if (kind === 'top-up' || kind === 'extend') return undefined;
  if (kind === 'reprice' || kind === 'release') return undefined;
  const { app, keyHash } = 'facts' in operation ? operation.facts : operation;
  return keyHash === undefined ? undefined : { app, keyHash };
}

/** All batches of all processes need one order; otherwise two transactions deadlock. */
function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  if (rows.size < 2) return [...rows.values()];
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** True for corrections, and for settlements of calls without a reservation. */
export function mayCountMembers(
  { settledIds }: Pick<LockedKeys, 'settledIds'>,
  { holds, calls }: Readonly<Record<'holds' | 'calls', readonly Pick<CallFacts, 'callId'>[]>>,
): boolean {
  if (calls.length > 0) return true;
  if (settledIds.length === 0) return false;
  const held = new Set(holds.map(({ callId }) => callId));
  return settledIds.some((callId) => !held.has(callId));
}
