import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, CallRecord } from '../../src/books/rows.ts';
import { noTokens } from '../../src/books/usage.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { otherModels } from '../../src/ledger/usage-names.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import { bookedSums } from '../../src/operations/calls/booked-sums.ts';
import type { Store } from '../../src/store/port/port.ts';
import { upsert } from '../../src/store/schema/row-statement.ts';
import * as tables from '../../src/store/schema/tables.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const range = { from: '2026-11-10', to: '2026-11-11' };
const dayMs = 86_400_000;
const startMs = Date.parse(range.from);
/** More often around midnight than by chance. */
const moments = fc.oneof(
  fc.integer({ min: startMs - dayMs, max: startMs + 3 * dayMs }),
  fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: -1_300_000, max: 1_300_000 }))
    .map(([day, off]) => startMs + day * dayMs + off),
);
const durations = fc.constantFrom(0, 1, 900, 40_000, 599_999, 600_001, 7_200_000);
const amounts = fc.bigInt({ min: 0n, max: 9_000_000_000_000n });
const named = {
  model: fc.constantFrom('echo', 'slow-2026-01-31'),
  platform: fc.constantFrom('sandbox', 'far', undefined),
};
const someCalls = fc.array(
  fc.record({
    ...named,
    app: fc.constantFrom('search', 'tutor'),
    startedAt: moments,
    /** From the call's start to its last attempt's, its length, and the time after it. */
    parts: fc.tuple(durations, durations, durations),
    cost: amounts,
    estimatedShare: fc.constantFrom(0n, 1n, 2n),
    isOther: fc.boolean(),
    kind: fc.constantFrom('noted', 'unsettled', 'rows'),
    attempts: fc.array(fc.record({ ...named, cost: amounts, isEstimated: fc.boolean() }), {
      minLength: 2,
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 60 },
);
type Made = (typeof someCalls extends fc.Arbitrary<infer All> ? All : never)[number];

/** The catalog's models: their current platform, and the platform's name for them. */
const catalog: Pick<Catalog, 'model'> & Catalog = Object.assign(Object.create(null), {
  model: (id: string) => ({ id, platform: 'today', upstreamModel: id }),
});

/** Sums by platform, day, app and model, one attempt after the other. */
function oracle(calls: readonly Made[]): Record<string, readonly [bigint, bigint, bigint]> {
  const sums: Record<string, readonly [bigint, bigint, bigint]> = {};
  const add = (key: string, [exact, estimated, band]: readonly [bigint, bigint, bigint]) => {
    const [a, b, c] = sums[key] ?? [0n, 0n, 0n];
    sums[key] = [a + exact, b + estimated, c + band];
  };
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const book = (of: BookedMade) => {
    const { app, platform = 'today', model, endMs, exact, estimated } = of;
    const keyOn = (day: string) => [platform, day, app, model.replace('-2026-01-31', '')].join(' ');
    add(keyOn(of.day ?? dayOf(endMs)), [exact, estimated, 0n]);
    const own = of.day ?? dayOf(endMs);
    const days = new Set([dayOf((of.fromMs ?? endMs) - 600_000), own, dayOf(endMs + 600_000)]);
    if (days.size < 2) return;
    for (const day of days) add(keyOn(day), [0n, 0n, exact + estimated]);
  };
  for (const call of calls) {
    const { app, model, platform, startedAt, cost } = call;
    const [before, took, behind] = call.parts;
    const estimated = estimatedOf(call);
    const plain = { app, platform, model, exact: cost - estimated, estimated };
    const endMs = startedAt + before + took;
    if (call.kind === 'noted') book({ ...plain, endMs });
    else if (call.kind === 'unsettled') {
      book({ ...plain, day: dayOf(startedAt), fromMs: startedAt, endMs: endMs + behind });
    } else {
      for (const each of call.attempts) {
        const parts = each.isEstimated
          ? { exact: 0n, estimated: each.cost }
          : { exact: each.cost, estimated: 0n };
        book({ app, platform: each.platform, model: each.model, endMs, ...parts });
      }
    }
  }
  const inRange = Object.entries(sums).filter(([key]) => {
    const [, day = ''] = key.split(' ');
    return day >= range.from && day <= range.to;
  });
  return Object.fromEntries(inRange);
}

interface BookedMade {
  readonly app: string;
  readonly platform: string | undefined;
  readonly model: string;
  readonly endMs: number;
  readonly exact: bigint;
  readonly estimated: bigint;
  readonly day?: string;
  readonly fromMs?: number;
}

/** Rows of attempts have the cost of a call. Without them the generated cost applies. */
function costOf({ kind, cost, attempts }: Made): bigint {
  return kind === 'rows' ? attempts.reduce((sum, each) => sum + each.cost, 0n) : cost;
}

function estimatedOf({ cost, estimatedShare }: Made): bigint {
  return (cost * estimatedShare) / 2n;
}

function recordOf(call: Made, index: number): CallRecord {
  const [before, took, behind] = call.parts;
  const { app, model, platform, startedAt, isOther, kind } = call;
  const note = {
    startedAt: startedAt + before,
    tookMs: took,
    outcome: 'answered',
    costPicoUsd: '1',
  };
  return {
    callId: callIdOf(call, index),
    ...{ app, platform, startedAt, day: range.from, month: undefined, userId: undefined },
    ...{ route: 'chat', model: isOther ? model : 'an-alias', keyHash: undefined, keyId: undefined },
    usageModel: isOther ? otherModels : model,
    ...{ priceVersion: undefined, remote: undefined, trace: undefined, scopes: '' },
    ...{ code: 'OK', tokens: noTokens, basis: 'exact' as const, upstreamId: undefined },
    ...{ cost: costOf(call), estimated: kind === 'rows' ? 0n : estimatedOf(call) },
    attempts: kind === 'noted' ? JSON.stringify([note]) : '[]',
    endedAt: startedAt + before + took + behind,
    ...{ walletGrant: 0n, walletTopup: 0n, walletHeld: undefined },
    ...{ held: 0n, heldAtEnd: undefined, instanceId: undefined },
  };
}

function attemptsOf(call: Made, index: number): readonly Attempt[] {
  if (call.kind !== 'rows') return [];
  const [before, took] = call.parts;
  return call.attempts.map(({ model, platform, cost, isEstimated }, at) => ({
    ...{ callId: callIdOf(call, index), n: at + 1, model, usageModel: model, platform, cost },
    ...{ startedAt: call.startedAt + before, tookMs: took, outcome: 'answered', status: 200 },
    ...{ priceVersion: undefined, tokens: noTokens, isCounted: true, upstreamId: undefined },
    basis: isEstimated ? ('estimated' as const) : ('exact' as const),
  }));
}

function callIdOf({ startedAt }: Made, index: number): string {
  return `${firstCallIdAt(startedAt)}${`${index}`.padStart(16, '0')}`;
}

describe.each(['sqlite', 'postgres'] as const)('booked sums of some days on %s', (kind) => {
  let folder: string;
  let postgres: TestPostgres | undefined;
  let store: Store;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-gateway-booked-'));
    if (kind === 'postgres') postgres = await startPostgres();
    const url = await postgres?.database();
    const target =
      url === undefined
        ? { kind: 'sqlite' as const, path: join(folder, 'gateway.db') }
        : { kind: 'postgres' as const, url };
    store = await openStore({
      ...{ target, log: silentLog },
      onDeath(error) {
        throw error;
      },
    });
  });
  afterEach(async () => {
    await store.close();
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('are added up by the database as one attempt after the other', () =>
    fc.assert(
      fc.asyncProperty(someCalls, async (calls) => {
        const [putCall, putAttempt] = [upsert(tables.calls), upsert(tables.attempts)];
        await store.write([
          { sql: 'delete from attempt', values: [] },
          { sql: 'delete from call', values: [] },
          ...calls.map((call, index) => {
            return { sql: putCall.sql, values: putCall.bind(recordOf(call, index)) };
          }),
          ...calls.flatMap(attemptsOf).map((attempt) => {
            return { sql: putAttempt.sql, values: putAttempt.bind(attempt) };
          }),
        ]);
        const byPlatform = [...(await bookedSums({ store, catalog }, range))];
        const sums = Object.fromEntries(
          byPlatform.flatMap(([platform, ofPlatform]) =>
            ofPlatform.map(({ day, app, model, exact, estimated, band }) => {
              return [[platform, day, app, model].join(' '), [exact, estimated, band]] as const;
            }),
          ),
        );
        expect(sums).toEqual(oracle(calls.filter((call) => costOf(call) > 0n)));
      }),
      { numRuns: 100 },
    ));
});
