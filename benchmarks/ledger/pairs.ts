import { hash } from 'node:crypto';
import type { ScopeClaim } from '../../packages/server/src/books/claims.ts';
import { createLedger, type Ledger } from '../../packages/server/src/ledger/ledger.ts';
import { createLedgerQueue } from '../../packages/server/src/ledger/queue.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createIds, type Ids } from '../../packages/server/src/lib/id.ts';
import { silentLog } from '../../packages/server/src/lib/log.ts';
import { createApp } from '../../packages/server/src/operations/apps/apps.ts';
import { createAdminContext } from '../../packages/server/src/operations/context/context.ts';
import type { Store } from '../../packages/server/src/store/port/port.ts';

/** One row of the ledger's table. */
export interface PairsRow {
  readonly store: string;
  readonly callers: number;
  readonly withKeys: boolean;
  readonly pairsPerSecond: number;
  /** How long an operation waits for its commit, in ms: the median and the 99th percentile. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The app of the pairs. */
export const ownApp = 'search';
/** The app of a second replica. */
export const otherApp = 'tutor';

const day = '2026-11-21';
const month = '2026-11';
const answerBody = 'x'.repeat(480);

/** The payer of a pair. */
export interface Payer {
  readonly app: string;
  /** Undefined for a call without a wallet. */
  readonly userId: string | undefined;
}

const onePayer: Payer = { app: ownApp, userId: undefined };

/** Makes the apps of the pairs, with budgets that never run out. */
export async function prepareStore(store: Store): Promise<void> {
  const clock = systemClock;
  const ids = createIds(clock);
  const admin = createAdminContext({
    ...{ store, clock, ids, company: 'acme', adminEmail: undefined, actor: 'bench' },
  });
  for (const app of [ownApp, otherApp]) {
    await createApp(admin, app, { dailyBudgetPicoUsd: 10n ** 18n });
  }
}

/** Reserves and settles repeatedly, by so many callers at once, for about `lastsMs`. */
export async function measurePairs(parts: {
  readonly store: Store;
  readonly callers: number;
  readonly withKeys: boolean;
  readonly lastsMs: number;
  /** The payer of the next pair; by default the one app without a wallet. */
  readonly nextPayer?: () => Payer;
  /** The number of budgets of each pair in addition to the daily budget; by default none. */
  readonly scopes?: number;
}): Promise<PairsRow> {
  const { store, callers, withKeys, lastsMs, nextPayer = () => onePayer } = parts;
  const scopes = claimsOf(parts.scopes ?? 0);
  const clock = systemClock;
  const ids = createIds(clock);
  const queue = createLedgerQueue({ store, clock, batchMax: 256 });
  const ledger = createLedger({ queue, clock, log: silentLog });
  const waitsMs: number[] = [];
  const startedMs = clock.monotonic();
  const caller = async () => {
    while (clock.monotonic() - startedMs < lastsMs) {
      await onePair({ ledger, ids, withKeys, waitsMs, scopes, payer: nextPayer() });
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const tookMs = clock.monotonic() - startedMs;
  waitsMs.sort((a, b) => a - b);
  const at = (share: number) => waitsMs[Math.floor(waitsMs.length * share)] ?? 0;
  const pairsPerSecond = (waitsMs.length / 2 / tookMs) * 1_000;
  return { store: store.kind, callers, withKeys, pairsPerSecond, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function claimsOf(count: number): readonly ScopeClaim[] {
  return Array.from({ length: count }, (_, index) => {
    return { scope: `group:${index}`, period: day, cap: 10n ** 18n, mode: 'enforce' };
  });
}

async function onePair(parts: {
  readonly ledger: Ledger;
  readonly ids: Ids;
  readonly withKeys: boolean;
  readonly waitsMs: number[];
  readonly payer: Payer;
  readonly scopes: readonly ScopeClaim[];
}) {
  const { ledger, ids, withKeys, waitsMs, payer, scopes } = parts;
  const hasWallet = payer.userId !== undefined;
  const now = systemClock.now();
  const callId = ids.call();
  // Like the gateway's hashes, it does not sort next to the one before it.
  const keyHash = withKeys ? hash('sha256', callId, 'base64url') : undefined;
  const keys = { keyHash, keyId: 'b5e1d2c3a4f6' };
  const call = { callId, ...payer, day, month: hasWallet ? month : undefined, ...keys };
  const model = { route: 'chat', model: 'bench', usageModel: 'bench', priceVersion: 'v1' };
  const from = { remote: '192.0.2.0/24', trace: undefined, platform: 'sandbox' };
  const facts = { ...call, ...model, ...from, startedAt: now };
  const expiresAt = now + 116_000;
  const claim = keyHash && { keyHash, fingerprint: keyHash, expiresAt: now + 3_600_000 };
  const reservedMs = systemClock.monotonic();
  const outcome = await ledger.reserve(
    {
      ...{ facts, amount: 1_000_000n, instanceId: 'bench', expiresAt, now },
      wallet: hasWallet ? { granted: 10n ** 12n, picoUsdPerCredit: 10n ** 10n } : undefined,
      ...{ scopes, budgetsRevision: 0n },
      idempotency: claim === '' ? undefined : claim,
    },
    () => false,
  );
  if (outcome?.kind !== 'reserved') throw new Error(`a reservation took ${outcome?.kind}`);
  waitsMs.push(systemClock.monotonic() - reservedMs);
  const settledMs = systemClock.monotonic();
  await ledger.settle({
    facts,
    end: {
      code: 'OK',
      tokens: {
        inputTokens: 24,
        cachedInputTokens: 0,
        cacheWriteInputTokens: 0,
        outputTokens: 4,
        reasoningTokens: 0,
      },
      cost: 6_000_000n,
      estimated: 0n,
      basis: 'exact',
      attempts: '[{"startedAt":1795237200000,"tookMs":8,"outcome":"answered","status":200}]',
      upstreamId: `req_${callId}`,
      endedAt: now + 8,
    },
    walletCost: hasWallet ? 1_000_000n : 0n,
    outcome: withKeys ? 'answered' : 'forgotten',
    result: withKeys ? { dialect: 'gateway', encoderVersion: 1, body: answerBody } : undefined,
    answerExpiresAt: now + 3_600_000,
  });
  waitsMs.push(systemClock.monotonic() - settledMs);
}
