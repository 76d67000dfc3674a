import { pause } from '../../../../../harness/pause.ts';
import type { ScopeClaim } from '../../../src/books/claims.ts';
import type { Reserve, Settle } from '../../../src/books/operations.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { createLedgerQueue, LedgerError } from '../../../src/ledger/queue.ts';
import { systemClock, utcDayOf, utcMonthOf } from '../../../src/lib/clock.ts';
import { createIds } from '../../../src/lib/id.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { onlyAttempt } from '../../conformance/operations.ts';

/** A caller's own record of its calls, without reading the store. */
export interface Books {
  /** Calls whose reservation and settlement were confirmed, with their cost. */
  readonly settled: Map<string, bigint>;
  /** Calls whose reservation failed, so their state may be unknown. */
  readonly failed: Set<string>;
  refused: number;
}

export function createBooks(): Books {
  return { settled: new Map(), failed: new Set(), refused: 0 };
}

export const ids = createIds(systemClock);

/** A ledger of a separate process, on a store. */
export function ledgerOn(store: Store): Ledger {
  const queue = createLedgerQueue({ store, clock: systemClock, batchMax: 256 });
  return createLedger({ queue, clock: systemClock, log: silentLog });
}

/** The parts of a call; the rest is the same for all. */
export interface CallParts {
  readonly app: string;
  readonly amount: bigint;
  readonly userId?: string | undefined;
  readonly key?: string | undefined;
  readonly day?: string;
  readonly instanceId?: string;
  readonly scopes?: readonly ScopeClaim[];
  readonly revision?: bigint;
  /** A call id of its day, if that is not today. */
  readonly callId?: string;
}

/** A reservation with the facts of a call that begins now. */
export function reservation(parts: CallParts): Omit<Reserve, 'kind'> {
  const { app, amount, userId, key, instanceId = 'instance_test' } = parts;
  const now = systemClock.now();
  const day = parts.day ?? utcDayOf(now);
  const month = userId === undefined ? undefined : utcMonthOf(now);
  const names = { route: 'chat', model: 'sim-echo', usageModel: 'sim-echo' };
  return {
    facts: {
      ...names,
      callId: parts.callId ?? ids.call(),
      ...{
        app,
        day,
        month,
        userId,
        keyHash: key,
        keyId: 'key_load',
        remote: undefined,
        trace: undefined,
        platform: 'sandbox',
        startedAt: now,
        priceVersion: 'sim-echo-1',
      },
    },
    amount,
    wallet:
      userId === undefined ? undefined : { granted: 10n ** 15n, picoUsdPerCredit: 10n ** 10n },
    ...{ scopes: parts.scopes ?? [], budgetsRevision: parts.revision ?? 0n },
    idempotency:
      key === undefined
        ? undefined
        : { keyHash: key, fingerprint: 'f', expiresAt: now + 3_600_000 },
    instanceId,
    expiresAt: now + 120_000,
    now,
  };
}

/** The settlement of a reservation, at a cost. */
export function settlement(reserved: Omit<Reserve, 'kind'>, cost: bigint): Omit<Settle, 'kind'> {
  const now = systemClock.now();
  const cached = { cachedInputTokens: 0, cacheWriteInputTokens: 0 };
  return {
    facts: reserved.facts,
    end: {
      ...{ code: 'OK', cost, estimated: 0n, basis: 'exact', endedAt: now },
      attempts: onlyAttempt,
      tokens: { inputTokens: 3, ...cached, outputTokens: 5, reasoningTokens: 0 },
      upstreamId: undefined,
    },
    walletCost: cost,
    outcome: 'answered',
    result: { dialect: 'gateway', encoderVersion: 1, body: reserved.facts.callId },
    answerExpiresAt: now + 3_600_000,
  };
}

/**
 * One call: reserved and settled, at half of its maximum. Returns the outcome of the reservation.
 */
export async function callOnce(ledger: Ledger, books: Books, parts: CallParts): Promise<string> {
  const reserved = reservation(parts);
  const { callId } = reserved.facts;
  try {
    const outcome = await ledger.reserve(reserved, () => false);
    if (outcome?.kind === 'refused') books.refused += 1;
    if (outcome?.kind !== 'reserved') return outcome?.kind ?? 'late';
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    books.failed.add(callId);
    return error.kind;
  }
  const cost = parts.amount / 2n;
  await ledger.settle(settlement(reserved, cost));
  books.settled.set(callId, cost);
  return 'reserved';
}

/** Some callers with consecutive calls, until `goesOn` returns false. */
export async function callMany(
  parts: { ledger: Ledger; books: Books; callers: number; goesOn: () => boolean },
  next: (caller: number, call: number) => CallParts,
): Promise<void> {
  const { ledger, books, callers, goesOn } = parts;
  const loop = async (caller: number) => {
    for (let call = 0; goesOn(); call++) {
      const outcome = await callOnce(ledger, books, next(caller, call));
      // An unreachable store fails at once: no caller retries without a pause.
      if (outcome === 'unavailable') await pause(5);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
}
