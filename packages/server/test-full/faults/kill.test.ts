import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatAnswer, createClient, LlmError } from '@model-gateway/sdk';
import { type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { big, int } from '../../src/store/schema/columns.ts';
import { adminOn } from '../../test/store/support/books.ts';
import { type Served, startServed, untilKnown } from '../../test/support/process.ts';

/** The part of a response that identifies its call. */
type Answered = Pick<ChatAnswer, 'id' | 'requestId'>;

let folder: string;
let simulator: ServedSimulator;
let store: Store;

// The store is also opened by this process, as by the command line: SQLite is shared by processes.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-kill-'));
  simulator = await serveSimulator({ port: 0 });
  await writeFile(join(folder, 'gateway.yaml'), configuration(simulator.url));
  const onDeath = (error: Error) => {
    throw error;
  };
  store = await openStore({
    target: { kind: 'sqlite', path: join(folder, 'gateway.db') },
    onDeath,
    log: silentLog,
  });
});

afterEach(async () => {
  await store.close();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

test('a kill -9 during 50 running calls loses no answered call and no money', async () => {
  const first = await startServed(['serve'], { cwd: folder });
  const apiKey = await issue(first);
  const answered: Answered[] = [];
  const running = callers(first.url, apiKey, answered);
  await until(() => answered.length >= 60 && simulator.simulator.bill().total.calls >= 100);
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  await running;
  const open = await openHolds();
  expect(open).toBeGreaterThan(0);

  const second = await startServed(['serve'], { cwd: folder });
  expect(await openHolds()).toBe(0);
  for (const answer of answered) {
    const record = await store.read(selectCallRecord(answer.id));
    expect(record).toMatchObject({ code: 'OK', upstreamId: answer.requestId });
  }
  expect(await audit(store, systemClock.now())).toMatchObject({ clean: true });
  await everyBilledCallIsBooked();
  const again = client(second.url, apiKey);
  expect(await again.chat(chat('sim-echo'))).toMatchObject({ text: 'Hello' });
  expect(await second.end('SIGTERM')).toBe(0);
});

/**
 * Compares the simulator's own bill with the ledger: exact calls agree, the others fit in the
 * estimates.
 */
async function everyBilledCallIsBooked() {
  const bill = simulator.simulator.bill();
  const [sums] = await store.read({
    sql: `
      select cast(sum(case when basis = 'exact' then cost else 0 end) as bigint) as exact,
             cast(sum(estimated) as bigint) as estimated
        from call`,
    values: [],
    map: (rows) => rows.map((row) => [big(row, 'exact'), big(row, 'estimated')] as const),
  });
  const [exact = 0n, estimated = 0n] = sums ?? [];
  const unknown = bill.total.costPicoUsd - exact;
  expect(unknown).toBeGreaterThanOrEqual(0n);
  expect(unknown).toBeLessThanOrEqual(estimated);
}

function openHolds(): Promise<number> {
  return store.read({
    sql: 'select count(*) as holds from hold',
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'holds')),
  });
}

/**
 * 50 callers without pause, each with slow and fast models and embeddings, until the process is
 * gone.
 */
async function callers(url: string, apiKey: string, answered: Answered[]) {
  const one = client(url, apiKey);
  const asks = [
    () => one.chat(chat('sim-slow')),
    () => one.chat(chat('sim-echo')),
    () => one.embed({ model: 'sim-embed', input: 'Hello' }),
  ];
  const loop = async (index: number) => {
    for (let call = 0; call < 1_000; call++) {
      const ask = asks[(index + call) % 3];
      try {
        if (ask !== undefined) answered.push(await ask());
      } catch (error) {
        if (LlmError.is(error) && error.code === 'NETWORK') return;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, index) => loop(index)));
}

function client(url: string, apiKey: string) {
  return createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1 });
}

function chat(model: string) {
  return { model, maxTokens: 50, messages: [{ role: 'user', content: 'Hello' }] } as const;
}

async function issue(served: Served): Promise<string> {
  const { key } = await issueKey(adminOn(store), { app: 'search', email: 'team@acme.example' });
  await untilKnown(served, key);
  return key;
}

function configuration(simulatorUrl: string): string {
  return `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator, baseUrl: "${simulatorUrl}" }
models:
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
plans:
  user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 }
apps:
  - { name: search, dailyBudgetUsd: "1000" }
`;
}
