import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { silentLog } from '../../src/lib/log.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import { openHolds } from '../store/support/books.ts';
import { composeOn, type Replica } from '../store/support/replica.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import { watchStore } from '../support/watched-store.ts';

const noonMs = Date.UTC(2026, 10, 21, 12);
const today = '2026-11-21';
const apps = '[{ name: search, dailyBudgetUsd: "0.001" }]';
const yaml = 'plans: { user: { ratePerSecond: 2, burst: 3, requestsPerDay: 1000 } }';

let folder: string;
let living: readonly Life[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-clock-'));
  living = [];
});
afterEach(async () => {
  for (const { store } of living) await store.close();
  await rm(folder, { recursive: true, force: true });
});

interface Life {
  readonly clock: TestClock;
  readonly store: Store;
  readonly replica: Replica & { readonly apiKey: string };
}

/** A service on the shared store that starts at this time. */
async function start(startMs: number, apiKey?: string): Promise<Life> {
  const path = join(folder, 'gateway.db');
  const onDeath = (error: Error) => {
    throw error;
  };
  const target = { kind: 'sqlite', path } as const;
  const store = watchStore(await openStore({ target, log: silentLog, onDeath }));
  const clock = createTestClock({ startMs, pending: store.pending });
  const simulator = createSimulator({ clock });
  const known = apiKey === undefined ? {} : { apiKey };
  const url = `sqlite:${path}`;
  const replica = await composeOn({ store, url, clock, simulator, apps, yaml, ...known });
  const life = { clock, store, replica };
  living = [...living, life];
  return life;
}

/** Like a kill: no timer runs, and the store receives nothing more. */
async function crash({ store }: Life) {
  living = living.filter((life) => life.store !== store);
  await store.close();
}

test('a clock that is set back during a restart blocks no money, key or rate limit', async () => {
  const first = await start(noonMs);
  const { apiKey } = first.replica;
  const request = { model: 'sim-timeout', key: 'k1', maxTokens: 100 };
  void first.replica.post(request);
  await first.clock.advance(3_000);
  expect(await openHolds(first.store)).toBe(1);
  await crash(first);

  const second = await start(noonMs - 3_600_000, apiKey);
  const { clock, store, replica } = second;
  // Startup has ended the reservation of the killed call, as an estimate.
  expect(await openHolds(store)).toBe(0);
  const day = await store.read(selectBudget('search', today));
  expect(day).toMatchObject({ held: 0n, spent: day?.estimated });
  // The rate limit had granted at most one request in advance, which half a second restores.
  await clock.advance(500);
  // The key is taken over at once, and the rate limit applies in full from the first request on.
  const again = await clock.run(replica.post(request));
  expect(again.status).toBe(504);
  expect(replica.simulator.bill().total.calls).toBe(0);
  await clock.advance(30_000);
  expect((await clock.run(replica.post(request))).status).toBe(200);
  expect(replica.simulator.bill().total.calls).toBe(1);
  for (let call = 0; call < 8; call++) {
    expect((await clock.run(replica.post())).status).toBe(200);
    await clock.advance(1_000);
  }
  expect(await audit(store, clock.now())).toMatchObject({ clean: true });
  await clock.run(replica.stop());
});
